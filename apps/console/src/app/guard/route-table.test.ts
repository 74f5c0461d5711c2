import {
  findGuardedRoute,
  guardedRoutes,
  HOME_PATH,
  moduleGroups,
  routes,
} from '@isotherm/contract/access/routes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Page } from '../../shared/page.ts'
import { buildRouteTable } from './route-table.ts'

const load = () => Promise.reject(new Error('not loaded in this test'))
const title = () => 'title'
const home: Page = { path: HOME_PATH, title, load }
const pages: readonly Page[] = [
  home,
  ...moduleGroups.flatMap((group) =>
    Object.entries(routes[group].pages).map(
      ([child, permission]): Page => ({
        ...home,
        path: `${routes[group].path}/${child}` as Page['path'],
        permission,
        group,
      }),
    ),
  ),
]
const of = (...permitted: string[]) => buildRouteTable(pages, new Set(permitted))

test('§2 a route is shown only if its meta has no permission value, or the list contains that value', () => {
  const table = of('pewph', 'pe-fmreal')
  expect(table.find('/dashboard').kind).toBe('page')
  expect(table.find('/ewph/fmreal').kind).toBe('page')
  expect(table.find('/ewph/fmcontrol').kind).toBe('lacking')
  expect(of('pe-fmreal').find('/ewph/fmreal').kind).toBe('lacking')
})

test('§2 default: a parent path opens its default child, or the first permitted child', () => {
  expect(of('pewph', 'pe-fmreal', 'pe-irrreal').find('/ewph')).toEqual({ kind: 'parent', to: '/ewph/fmreal' })
  expect(of('pewph', 'pe-fmcontrol', 'pe-irrreal').find('/ewph/')).toEqual({
    kind: 'parent',
    to: '/ewph/irrreal',
  })
  expect(of('pdev', 'pd-devdebug', 'pd-caldevmanager').find('/dev')).toEqual({
    kind: 'parent',
    to: '/dev/caldevmanager',
  })
})

test('§2 catch-all redirect to /404: a missing permission is distinguished from an unknown address', () => {
  expect(of().find('/sys/rolesys')).toMatchObject({
    kind: 'lacking',
    group: 'psys',
    page: { permission: 'ps-rolesys' },
  })
  expect(of().find('/sys')).toEqual({ kind: 'lacking', group: 'psys', page: undefined })
  for (const path of ['/nothing', '/ewph/nothing', '/ewphx', '//ewph'])
    expect(of().find(path).kind).toBe('unknown')
})

test('§2 the route table can be rebuilt on logout: without modules only the dashboard remains', () => {
  expect([...of().allowed.keys()]).toEqual(['/dashboard'])
})

test('G9: a parent never opens a page without permission and never redirects in a cycle', () => {
  const values = [...moduleGroups, ...guardedRoutes.map(({ permission }) => permission)]
  fc.assert(
    fc.property(fc.subarray(values), (permitted) => {
      const table = of(...permitted)
      for (const group of moduleGroups) {
        const place = table.find(routes[group].path)
        if (place.kind !== 'parent') continue
        expect(table.find(place.to).kind).toBe('page')
        expect(permitted).toContain(findGuardedRoute(place.to)?.permission)
      }
    }),
  )
})
