import { permissions } from '@isotherm/contract/access/permissions'
import { interfaceItem } from '@isotherm/contract/endpoints/administration/interfaces'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { reportOnce } from '../../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer, type Tokens } from '../../../testing/server.testkit.ts'

let server: TestServer
let beside: TestServer
let root: Tokens
let staff: Tokens

beforeAll(async () => {
  server = await startTestServer()
  beside = await startTestServer({ beside: server })
  await server.createAccount('root', permissions, [], 'provider')
  await server.createAccount('staff', permissions, ['p'])
  root = await server.logIn('root')
  staff = await server.logIn('staff')
})
afterAll(async () => {
  await beside.stop()
  await server.stop()
})

const call = (name: EndpointName, input: unknown, tokens = root, at = server) =>
  at.call(endpoints[name], input, tokens[endpoints[name].backend])

async function find(name: string, tokens = root) {
  const { data } = await call('getInterfaces', {}, tokens)
  const { datalist } = z.object({ datalist: z.array(interfaceItem) }).parse(data)
  const found = datalist.find((item) => item.name === name)
  if (!found) throw new Error(`no interface ${name}`)
  return found
}

const set = (names: readonly string[], enabled: boolean, tokens = root) =>
  call('setInterfaceStates', { names, enabled }, tokens)

const toCounts = ({ calls, failures }: { calls: number; failures: number }) => [calls, failures]

test('calls of every replica are counted, refused ones also as failures, with their p95', async () => {
  expect(toCounts(await find('getLikeSubUser'))).toEqual([0, 0])
  expect((await find('getLikeSubUser')).p95Ms).toBeNull()
  const input = { name: '楼' }
  for (let count = 0; count < 3; count += 1) await call('getLikeSubUser', input)
  await call('getLikeSubUser', { name: 7 })
  expect(toCounts(await find('getLikeSubUser'))).toEqual([4, 1])
  expect((await find('getLikeSubUser')).p95Ms).toBeGreaterThanOrEqual(0)
  await call('getLikeSubUser', input, root, beside)
  // The other replica stores its counts when it lists them.
  await call('getInterfaces', {}, root, beside)
  expect(toCounts(await find('getLikeSubUser'))).toEqual([5, 1])
})

test('messages of gateways are counted by channel, and those to gateways too', async () => {
  await reportOnce(server, 'C-b2', { 'V-b2u1': { 'temp.supply': 45 } })
  expect(toCounts(await find('up/telemetry'))).toEqual([1, 0])
  expect((await find('up/birth')).calls).toBe(1)
  await vi.waitFor(async () => expect((await find('down/ack')).calls).toBeGreaterThan(0), { timeout: 30_000 })
})

test('a disabled endpoint is refused for everybody on every replica, until it is enabled', async () => {
  const answers = async () => [
    (await call('getVauser', {})).code,
    (await call('getVauser', {}, staff)).code,
    (await call('getVauser', {}, root, beside)).code,
  ]
  expect(await answers()).toEqual([undefined, undefined, undefined])
  expect((await set(['getVauser', 'getPipes'], false)).data).toEqual({ changed: 2 })
  expect(await answers()).toEqual(['interface.disabled', 'interface.disabled', 'interface.disabled'])
  expect((await call('getVauser', {})).text).toBe('The interface getVauser was disabled by an administrator')
  expect((await find('getVauser')).enabled).toBe(false)
  expect((await set(['getVauser'], false)).data).toEqual({ changed: 0 })
  expect((await set(['getVauser', 'getPipes'], true)).data).toEqual({ changed: 2 })
  expect(await answers()).toEqual([undefined, undefined, undefined])
  expect((await find('getVauser')).enabled).toBe(true)
})

test('a disabled change is refused, and the attempt is in the operation log', async () => {
  await set(['addProject'], false)
  const input = { projectName: '新项目', description: '' }
  expect((await call('addProject', input)).code).toBe('interface.disabled')
  await set(['addProject'], true)
  const { data } = await call('getOperations', { endpoint: 'addProject', result: 'failed' })
  expect(data).toMatchObject({ datalist: [{ account: 'root', result: 'interface.disabled' }] })
  const states = await call('getOperations', { endpoint: 'setInterfaceStates', entityId: 'addProject' })
  expect(states.data).toMatchObject({
    datalist: [
      { changes: [{ entity: 'disabled-interface', entityId: 'addProject', action: 'removed' }] },
      { changes: [{ entity: 'disabled-interface', entityId: 'addProject', action: 'added' }] },
    ],
  })
})

test.each([
  'login',
  'tokenLogin',
  'getAllModulesU',
  'getConsoleSettings',
  'getInterfaces',
  'setInterfaceStates',
])('%s cannot be disabled, because nobody could log in or enable it again', async (name) => {
  expect((await set(['getPipes', name], false)).code).toBe('interface.always-on')
  expect((await find('getPipes')).enabled).toBe(true)
  expect((await find(name)).abilities).toEqual([])
})

test('an unknown interface and a topic cannot be disabled', async () => {
  expect((await set(['noSuchCall'], false)).code).toBe('interface.not-found')
  expect((await set(['up/telemetry'], false)).code).toBe('interface.not-found')
})

test('staff of a company see the interfaces, but cannot switch them, because all companies use them', async () => {
  expect((await set(['getPipes'], false, staff)).code).toBe('access.denied')
  expect((await find('getPipes', staff)).abilities).toEqual([])
  expect((await find('getPipes')).abilities).toEqual(['switch'])
})
