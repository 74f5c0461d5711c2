import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'
import { findGuardedRoute } from '@isotherm/contract/access/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namedEndpoints, startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { DEMO_PASSWORD } from '../../session/index.ts'

const devicePages = [
  '/dev/devdebug',
  '/dev/caldevmanager',
  '/dev/rtcaldevmanager',
  '/dev/datadevmanager',
  '/dev/fmdevmanager',
]
const groupPages = ['/group/groupmanage', '/group/groupctl']
/** All pages by which an installation is administered. */
const administration = [
  '/users/usersetting',
  ...groupPages,
  ...devicePages,
  '/sys/modelsys',
  '/sys/organsys',
  '/sys/rolecodesys',
  '/sys/rolesys',
  '/sys/usersys',
  '/sys/htusersys',
  '/sys/logsys',
  '/sys/interfacesys',
]

/** Pages of administration that each role other than the administrator has. It is written out, so that a wider role is noticed here. */
const opened: Readonly<Record<Exclude<SeededRole, 'administrator'>, readonly string[]>> = {
  dispatcher: ['/users/usersetting', ...groupPages, ...devicePages],
  maintenance: devicePages,
  service: [],
  irrigation: [],
  viewer: [],
}
const roles = Object.keys(opened) as (keyof typeof opened)[]

const toPermission = (path: string) => findGuardedRoute(path)?.permission
const ofAdministration: ReadonlySet<unknown> = new Set(administration.map(toPermission))

/** Calls that only pages of administration make. */
const calls = namedEndpoints.flatMap(([name, endpoint]) => {
  const { access } = endpoint
  const isOurs = access.kind === 'permission' && access.anyOf.every((each) => ofAdministration.has(each))
  return isOurs ? [{ name, endpoint, pages: access.anyOf }] : []
})

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('the pages of administration have calls of their own', () => {
  expect(ofAdministration.size).toBe(administration.length)
  expect(calls.length).toBeGreaterThan(80)
  const served: ReadonlySet<unknown> = new Set(calls.flatMap(({ pages }) => pages))
  expect([...ofAdministration].filter((page) => page && !served.has(page))).toEqual([])
})

describe.each(roles)('%s', (role) => {
  test('has these pages of administration and no other', () => {
    const has: ReadonlySet<unknown> = new Set(seededRoles[role])
    expect(administration.filter((path) => has.has(toPermission(path)))).toEqual(opened[role])
  })

  test('is refused every call of the other pages, whatever it sends', async () => {
    const own: ReadonlySet<unknown> = new Set(opened[role].map(toPermission))
    const tokens = await server.logIn(role, DEMO_PASSWORD)
    const answered: string[] = []
    for (const { name, endpoint, pages } of calls) {
      if (pages.some((page) => own.has(page))) continue
      const { code } = await server.call(endpoint, {}, tokens[endpoint.backend])
      if (code !== 'access.denied') answered.push(`${name}: ${code}`)
    }
    expect(answered).toEqual([])
  })
})
