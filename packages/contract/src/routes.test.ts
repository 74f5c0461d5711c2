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

test('§2 Permission-guarded route groups: children keep the spellings of the specification', () => {
  expect(guardedRoutes).toHaveLength(32)
  expect(findGuardedRoute('/ewph/eqmonitor')).toEqual({
    path: '/ewph/eqmonitor',
    group: 'pewph',
    permission: 'pe-egmonitor',
  })
  expect(findGuardedRoute('/sys/organsys')?.permission).toBe('ps-oraigionsys')
  expect(findGuardedRoute('/sys/logsys')?.permission).toBe('ps-oplogsys')
  expect(findGuardedRoute('/dashboard')).toBeUndefined()
})

test('permission values are those of the table, each once, a group before its pages', () => {
  expect(new Set(permissions).size).toBe(permissions.length)
  expect(permissions).toHaveLength(9 + 32)
  expect(permissions.slice(0, 3)).toEqual(['pewph', 'pe-fmreal', 'pe-irrreal'])
  expect(Object.keys(modules)).toEqual(moduleGroups)
})
