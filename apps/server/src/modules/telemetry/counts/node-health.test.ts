import { endpoints } from '@isotherm/contract/endpoints/all'
import { getNodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportOnce } from '../../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let projectKey: string

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', ['pe-fmreal'], ['p'])
  await server.createAccount('parts', ['pe-fmhistory'], ['b10', 'a2'])
  await server.createAccount('clerk', ['prtjc', 'pe-egmonitor'], ['p'])
  projectKey = await server.nodeKey('p')
  await report()
})
afterAll(() => server.stop())

/** Concentrator C-b2 signs on and reports for its valves; one room sensor reports an impossible value. */
const report = () =>
  reportOnce(server, 'C-b2', {
    'V-b2u1': { 'valve.opening': 40 },
    'V-b2u2': { 'valve.opening': 40 },
    'R-b2u1': { 'temp.room': 400 },
  })

async function getHealth(account: string, nodes: readonly string[]) {
  const tokens = await server.logIn(account)
  const { code, data } = await server.call(endpoints.getNodeHealth, { nodes }, tokens['ht-api'])
  expect(code).toBeUndefined()
  return getNodeHealth.output.parse(data).datalist
}

test('the devices below a node are counted, with the silent and the doubtful ones', async () => {
  const [b2, b10] = [await server.nodeKey('b2'), await server.nodeKey('b10')]
  const found = await getHealth('whole', [projectKey, b2, `${b2}-L1-1单元`, b10])
  expect(found).toHaveLength(4)
  expect(found).toContainEqual({
    node: projectKey,
    health: 'alarm',
    devCount: 15,
    silentCount: 11,
    unknownCount: 9,
    badCount: 1,
  })
  // One sensor has not reported since its concentrator came back, so its state is unknown.
  expect(found).toContainEqual({
    node: b2,
    health: 'caution',
    devCount: 5,
    silentCount: 1,
    unknownCount: 1,
    badCount: 1,
  })
  expect(found).toContainEqual({
    node: `${b2}-L1-1单元`,
    health: 'alarm',
    devCount: 2,
    silentCount: 0,
    unknownCount: 0,
    badCount: 1,
  })
  expect(found).toContainEqual({
    node: b10,
    health: 'alarm',
    devCount: 5,
    silentCount: 5,
    unknownCount: 4,
    badCount: 0,
  })
})

test('a node above a grant counts only the granted parts', async () => {
  const keys = [projectKey, await server.nodeKey('s1'), await server.nodeKey('s2')]
  const [project, first, second] = keys
  expect(await getHealth('parts', keys)).toEqual(
    expect.arrayContaining([
      { node: project, health: 'alarm', devCount: 10, silentCount: 10, unknownCount: 8, badCount: 0 },
      { node: first, health: 'alarm', devCount: 5, silentCount: 5, unknownCount: 4, badCount: 0 },
      { node: second, health: 'alarm', devCount: 5, silentCount: 5, unknownCount: 4, badCount: 0 },
    ]),
  )
  expect(await getHealth('parts', ['-1'])).toMatchObject([{ node: '-1', devCount: 10 }])
})

test('a foreign, an unknown and a malformed node are all left out', async () => {
  const b10 = await server.nodeKey('b10')
  const nodes = [await server.nodeKey('b2'), b10, '999999', `${b10}-L9-1单元`, 'nonsense']
  expect((await getHealth('parts', nodes)).map(({ node }) => node)).toEqual([b10])
})

test('a user without the permission to watch devices gets no counts, but sees the nodes', async () => {
  const keys = [projectKey, await server.nodeKey('b2'), '-1']
  const none = { health: 'none', devCount: 0, silentCount: 0, unknownCount: 0, badCount: 0 }
  const found = await getHealth('clerk', keys)
  expect(found).toHaveLength(3)
  expect(found).toEqual(expect.arrayContaining(keys.map((node) => ({ node, ...none }))))
})
