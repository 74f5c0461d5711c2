import { expect, test } from 'vitest'
import { modules, permissions } from './permissions.ts'
import { findGuardedRoute, guardedRoutes, moduleGroups, routes } from './routes.ts'

test('§2 Permission-guarded route groups: nine parents with their permission and default child', () => {
  expect(moduleGroups.map((group) => [routes[group].path, group, routes[group].first])).toEqual([
    ['/ewph', 'pewph', 'fmreal'],
    ['/rtjc', 'prtjc', 'rtreal'],
    ['/calr', 'pcalr', 'caldata'],
    ['/gis', 'pgis', 'gisshow'],
    ['/stat', 'pstat', 'statsys'],
    ['/users', 'pusers', 'usersetting'],
    ['/group', 'pgroup', 'groupmanage'],
    ['/dev', 'pdev', 'caldevmanager'],
    ['/sys', 'psys', 'modelsys'],
  ])
})

test('§2 Permission-guarded route groups: each default child is a child', () => {
  for (const group of moduleGroups) {
    expect(Object.keys(routes[group].pages)).toContain(routes[group].first)
  }
})

test('§2 Permission-guarded route groups: every page with its permission value, spelled as there', () => {
  expect(guardedRoutes.map(({ path, permission }) => `${path} ${permission}`)).toEqual([
    '/ewph/fmreal pe-fmreal',
    '/ewph/irrreal pe-irrreal',
    '/ewph/fmhistory pe-fmhistory',
    '/ewph/fmcontrol pe-fmcontrol',
    '/ewph/irrigation pe-irrigation',
    '/ewph/irrgrpsx pe-irrgrpsx',
    '/ewph/eqmonitor pe-egmonitor',
    '/ewph/sxmonitor pe-sxmonitor',
    '/ewph/enmonitor pe-enmonitor',
    '/ewph/flowmonitor pe-flowmonitor',
    '/rtjc/rtreal pr-rtreal',
    '/rtjc/rthistory pr-rthistory',
    '/rtjc/rtalarm pr-rtalarm',
    '/calr/caldata pc-caldata',
    '/gis/gisshow pg-gisshow',
    '/stat/statsys ps-statsys',
    '/users/usersetting pu-usersetting',
    '/group/groupmanage pg-groupmanage',
    '/group/groupctl pg-groupctl',
    '/dev/devdebug pd-devdebug',
    '/dev/caldevmanager pd-caldevmanager',
    '/dev/rtcaldevmanager pd-rtcaldevmanager',
    '/dev/datadevmanager pd-datadevmanager',
    '/dev/fmdevmanager pd-fmdevmanager',
    '/sys/modelsys ps-modelsys',
    '/sys/organsys ps-oraigionsys',
    '/sys/rolecodesys ps-rolecodesys',
    '/sys/rolesys ps-rolesys',
    '/sys/usersys ps-usersys',
    '/sys/htusersys ps-htusersys',
    '/sys/logsys ps-oplogsys',
    '/sys/interfacesys ps-interfacesys',
  ])
  expect(findGuardedRoute('/ewph/eqmonitor')?.group).toBe('pewph')
  expect(findGuardedRoute('/dashboard')).toBeUndefined()
})

test('permission values are those of the table, each once, a group before its pages', () => {
  expect(new Set(permissions).size).toBe(permissions.length)
  expect(permissions).toHaveLength(9 + 32)
  expect(permissions.slice(0, 3)).toEqual(['pewph', 'pe-fmreal', 'pe-irrreal'])
  expect(Object.keys(modules)).toEqual(moduleGroups)
})
