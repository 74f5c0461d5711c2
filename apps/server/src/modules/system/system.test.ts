import { permissions } from '@isotherm/contract/access/permissions'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer, type Tokens } from '../../testing/server.testkit.ts'
import { toClientHash } from '../session/sign-in/passwords.ts'

let server: TestServer
let root: Tokens
let keeper: Tokens

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('root', permissions, [], 'provider')
  const id = await server.createAccount('keeper', ['pewph', 'pe-irrreal', 'ps-oplogsys'], ['s2'])
  await server.db
    .insertInto('account_device')
    .values({ account_id: id, device_id: await server.deviceId('V-b2u1') })
    .execute()
  root = await server.logIn('root')
  keeper = await server.logIn('keeper')
})
afterAll(() => server.stop())

async function callOk(name: EndpointName, input: unknown, tokens: Tokens | undefined): Promise<unknown> {
  const endpoint = endpoints[name]
  const { code, text, data } = await server.call(endpoint, input, tokens?.[endpoint.backend])
  if (code !== undefined) throw new Error(`${name}: ${text}`)
  return data
}

const urlsOf = (data: unknown): string[] => {
  const { datalist } = z.object({ datalist: z.array(z.object({ url: z.string() })) }).parse(data)
  return datalist.map(({ url }) => url)
}

test('§6 the rbac variant sets rcode to 500 with a fixed paccount, and its token opens the second backend', async () => {
  const credentials = { username: 'keeper', password: toClientHash('keeper') }
  const data = await callOk('z7TLogin', credentials, undefined)
  expect(data).toMatchObject({ utype: 'usr', rcode: 500, paccount: 'rbac' })
  const { data: token } = z.object({ data: z.string() }).parse(data)
  const { code } = await server.call(endpoints.getHtmlResByTK, {}, token)
  expect(code).toBeUndefined()
})

test('§7 the rbac variant gives the permitted modules in data.datalist, those of GetAllModulesU', async () => {
  const urls = urlsOf(await callOk('getHtmlResByTK', {}, keeper))
  expect(urls).toEqual(['pewph', 'pe-irrreal', 'psys', 'ps-oplogsys'])
  const { data } = z
    .object({ data: z.array(z.object({ url: z.string() })) })
    .parse(await callOk('getAllModulesU', {}, keeper))
  expect(data.map(({ url }) => url)).toEqual(urls)
})

test('the resources of an account are its modules, nodes and devices with their places', async () => {
  const limiter = { page: 1, size: 10 }
  expect(await callOk('getResByTK', { limiter }, keeper)).toMatchObject({
    seesAll: false,
    nodes: [{ id: await server.nodeKey('s2'), label: '二号站', level: 4, nestaddr: '集团,公司,二号站' }],
    nodeTotal: 1,
    devices: [{ serial: 'V-b2u1', kind: 'valve', nestaddr: '集团,公司,一号站,东区,二号楼,1单元' }],
    deviceTotal: 1,
  })
  expect(await callOk('getResByTK', { limiter }, root)).toMatchObject({ seesAll: true, nodes: [] })
})

test('§3 a page visit is in the operation log with account, page and time', async () => {
  const visit = { path: '/ewph/irrreal', title: '灌溉实时监测', visitedAt: 1_700_000_000_000 }
  await callOk('addUserOp', visit, keeper)
  const found = await callOk('getOperations', { endpoint: 'addUserOp' }, keeper)
  expect(found).toMatchObject({
    total: 1,
    datalist: [{ account: 'keeper', result: 'ok', input: visit, whole: true, changes: [] }],
  })
})

test('a device manager sees the changes of granted devices, but of nothing else', async () => {
  await server.createAccount('fitter', ['pd-devdebug', 'pd-fmdevmanager'], ['b2'])
  const fitter = await server.logIn('fitter')
  const id = await server.deviceId('V-b2u2')
  const { version } = await server.db
    .selectFrom('device')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await callOk('updateDev', { id, version, name: '新阀' }, root)
  const history = { entity: 'device', entityId: String(id) }
  expect(await callOk('getEntityHistory', history, fitter)).toMatchObject({
    datalist: [{ account: 'root', action: 'changed', after: { name: '新阀' } }],
  })
  const foreign = { ...history, entityId: String(await server.deviceId('V-b3u1')) }
  expect(await callOk('getEntityHistory', foreign, fitter)).toMatchObject({ total: 0 })
  const node = { ...history, entity: 'node', entityId: String(await server.nodeId('b2')) }
  const { code } = await server.call(endpoints.getEntityHistory, node, fitter['ht-api'])
  expect(code).toBe('access.denied')
})

test('a refused change is in the log with the error of its answer', async () => {
  const { code } = await server.call(endpoints.addModules, { modules: [] }, keeper['ht-api'])
  expect(code).toBe('access.denied')
  const found = await callOk('getOperations', { account: 'keeper', result: 'failed' }, root)
  expect(found).toMatchObject({
    datalist: [{ endpoint: 'addModules', result: 'access.denied', changes: [] }],
  })
})

test('every interface is listed with the roles that may call it', async () => {
  const { datalist, total } = z
    .object({
      datalist: z.array(
        z.object({ name: z.string(), address: z.string(), access: z.string(), roles: z.array(z.string()) }),
      ),
      total: z.number(),
    })
    .parse(await callOk('getInterfaces', {}, root))
  expect(datalist).toHaveLength(total)
  expect(datalist.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(endpoints)))
  const find = (name: string) => datalist.find((item) => item.name === name)
  expect(find('login')).toMatchObject({ address: '/usrCloud/user/login', access: 'public', roles: [] })
  expect(find('deleteMdoules')).toMatchObject({
    address: '/ht-api/api/Module/DeleteMdoules',
    access: 'permission',
    roles: ['管理员', 'root'],
  })
  expect(find('up/telemetry')).toMatchObject({
    address: 'hx/v1/{tenant}/{node}/up/telemetry',
    access: 'device',
  })
  expect(find('live')).toMatchObject({ address: '/live', access: 'session' })
  expect(await callOk('getInterfaces', { text: 'deletemdoules' }, root)).toMatchObject({ total: 1 })
})
