import { once } from 'node:events'
import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { getGatewayRefusals } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { getQuarantine } from '@isotherm/contract/endpoints/monitoring/quarantine'
import { queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { addCompany, getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { liveEvent } from '@isotherm/contract/live'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { toClientHash } from '../../modules/session/sign-in/passwords.ts'
import { connectGateway } from '../../testing/connect-gateway.testkit.ts'
import { createRegistry, createRegistryBeside } from '../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

/** Each serves one company; both share the stores. */
let demo: TestServer
let other: TestServer
/** Account of the provider that sees everything. */
let whole: number
const page = { limiter: { page: 1, size: 100 } }
const projects = { pageNo: 1, pageSize: 100 }

beforeAll(async () => {
  demo = await startTestServer({
    settings: { ISOTHERM_TENANTS: 'demo' },
    registries: [createRegistry(), createRegistryBeside('other')],
  })
  other = await startTestServer({ settings: { ISOTHERM_TENANTS: 'other,new' }, beside: demo })
  whole = await demo.createAccount(
    'whole',
    ['ps-oraigionsys', 'pd-datadevmanager', 'ps-interfacesys'],
    [],
    'provider',
  )
  await demo.createAccount('ours', ['pe-fmreal'], ['p'])
  const permissions = ['pe-fmreal', 'ps-interfacesys', 'pd-datadevmanager', 'pd-fmdevmanager'] as const
  const id = await demo.createAccount('theirs', permissions, [])
  // The fixture puts accounts into the first company.
  const project = await demo.db
    .selectFrom('node')
    .select(['id', 'company_id'])
    .where('key', '=', 'other-p')
    .executeTakeFirstOrThrow()
  await demo.db.updateTable('account').set({ company_id: project.company_id }).where('id', '=', id).execute()
  await demo.db.insertInto('account_node').values({ account_id: id, node_id: project.id }).execute()
})
afterAll(async () => {
  await other.stop()
  await demo.stop()
})

const signIn = (server: TestServer, account: string, language: string, password = account) => {
  const credentials = { username: account, password: toClientHash(password) }
  return server.call(endpoints.login, credentials, undefined, { 'Accept-Language': language })
}

async function callAs(server: TestServer, account: string, name: EndpointName, input: unknown) {
  const tokens = await server.logIn(account)
  return server.call(endpoints[name], input, tokens[endpoints[name].backend])
}

test('a sign-in at the server of other companies is refused with HTTP 421, in the language of the user', async () => {
  const refused = await signIn(demo, 'theirs', 'en')
  expect(refused).toMatchObject({
    http: 421,
    code: 'company.elsewhere',
    text: 'Another server serves this company. Use the address of the company',
  })
  expect((await signIn(demo, 'theirs', 'zh')).text).toBe('该公司由其他服务器提供服务，请使用该公司的访问地址')
  expect((await signIn(other, 'theirs', 'en')).code).toBeUndefined()
  expect((await signIn(demo, 'ours', 'en')).code).toBeUndefined()
})

test('a wrong password learns nothing about the company of an account', async () => {
  expect((await signIn(demo, 'theirs', 'en', 'guess')).code).toBe('session.bad-credentials')
})

test('a session of the own server opens no call and no live connection at another one', async () => {
  const tokens = await other.logIn('theirs')
  const call = (server: TestServer) => server.call(endpoints.queryProjectList, projects, tokens['usr-cloud'])
  expect((await call(other)).code).toBeUndefined()
  expect(await call(demo)).toMatchObject({ http: 421, code: 'company.elsewhere' })
  const socket = new WebSocket(`${demo.base.replace('http', 'ws')}/live`)
  await once(socket, 'open')
  const answer = once(socket, 'message')
  socket.send(JSON.stringify({ type: 'hello', token: tokens['ht-api'] }))
  const [data] = await answer
  expect(liveEvent.parse(JSON.parse(String(data)))).toEqual({ type: 'refused', code: 'company.elsewhere' })
  socket.terminate()
})

test('readings by HTTP are taken by the server of their company only', async () => {
  const { data } = await callAs(other, 'theirs', 'addApiKey', {
    name: 'platform',
    permissions: [SEND_READINGS],
    expiresAt: Date.now() + DAY_MS,
  })
  const { key } = addApiKey.output.parse(data)
  const d = [{ id: 'R-b2u1', ts: Date.now() - 1_000, m: { 'temp.room': 20 } }]
  const input = { imei: 'C-b2', channel: 'history', messages: [{ v: 1, boot: 3, seq: 0, ts: Date.now(), d }] }
  const send = (server: TestServer) => server.call(endpoints.sendReadings, input, key)
  expect(await send(demo)).toMatchObject({ http: 421, code: 'company.elsewhere' })
  expect((await send(other)).data).toMatchObject({ datalist: [{ outcome: 'stored', values: 1 }] })
})

test('a gateway is let in by the server of its company only, and the refusal is listed there', async () => {
  const lost = connectGateway(demo, 'C-b2', { tenant: 'other', reconnectPeriod: 0 })
  await expect(lost).rejects.toThrow()
  await expect(connectGateway(demo, 'C-b2', { tenant: 'nobody', reconnectPeriod: 0 })).rejects.toThrow()
  for (const [server, tenant] of [
    [demo, 'demo'],
    [other, 'other'],
  ] as const) {
    const { leave } = await connectGateway(server, 'C-b2', { tenant })
    await leave()
  }
  const reasonsAt = async (server: TestServer) => {
    const { data } = await callAs(server, 'whole', 'getGatewayRefusals', page)
    return getGatewayRefusals.output.parse(data).datalist.map(({ user, reason }) => `${user} ${reason}`)
  }
  await expect.poll(() => reasonsAt(other)).toEqual(['other/C-b2 elsewhere'])
  expect(await reasonsAt(demo)).toEqual([])
})

test('provider staff see the quarantine of the companies of their server, also of gateways that nobody registered', async () => {
  for (const [server, tenant] of [
    [demo, 'demo'],
    [other, 'other'],
  ] as const) {
    const { send, leave } = await connectGateway(server, 'C-fresh', { tenant })
    await send('telemetry', '{}')
    await leave()
    const topicsAt = async () => {
      const { data } = await callAs(server, 'whole', 'getQuarantine', {})
      return getQuarantine.output.parse(data).datalist.map(({ topic }) => topic)
    }
    await expect.poll(topicsAt).toEqual([`hx/v1/${tenant}/C-fresh/up/telemetry`])
  }
})

test('the directory has the devices of the served companies only, also after a change', async () => {
  await demo.db.updateTable('device').set({ period_s: 30 }).where('serial', '=', 'C-b3').execute()
  for (const [server, tenant, foreign] of [
    [demo, 'demo', 'other'],
    [other, 'other', 'demo'],
  ] as const) {
    const { directory } = server.devices
    const ids = [...directory.entries()].filter(({ tenant: own }) => own === tenant).map(({ id }) => id)
    await directory.readChanged([...ids, ...[...demo.devices.directory.entries()].map(({ id }) => id)])
    expect([...directory.entries()].every((device) => device.tenant === tenant)).toBe(true)
    expect(directory.find(foreign, 'C-b3')).toBeUndefined()
    expect(directory.find(tenant, 'C-b3')?.periodS).toBe(30)
  }
})

test('provider staff see the companies of the server that they are signed in at', async () => {
  const companiesAt = async (server: TestServer) => {
    const { data } = await callAs(server, 'whole', 'getCompanies', page)
    return getCompanies.output.parse(data).datalist.map(({ tenant }) => tenant)
  }
  const add = (tenant: string) =>
    callAs(other, 'whole', 'addCompany', { tenant, name: tenant, timeZone: 'Asia/Shanghai' })
  expect(await add('third')).toMatchObject({ http: 421, code: 'company.elsewhere' })
  expect(addCompany.output.parse((await add('new')).data).tenant).toBe('new')
  expect([await companiesAt(demo), await companiesAt(other)]).toEqual([['demo'], ['new', 'other']])
})

test('provider staff see the projects of these companies, also one that was just added', async () => {
  const projectsAt = async (server: TestServer) => {
    const { data } = await callAs(server, 'whole', 'queryProjectList', projects)
    return queryProjectList.output.parse(data).list.map(({ projectName }) => projectName)
  }
  expect([await projectsAt(demo), await projectsAt(other)]).toEqual([['集团'], ['other']])
  const { id } = await other.db
    .selectFrom('company')
    .select('id')
    .where('tenant', '=', 'other')
    .executeTakeFirstOrThrow()
  const added = await callAs(other, 'whole', 'addProject', { companyId: id, projectName: 'Fresh' })
  expect(added.code).toBeUndefined()
  expect([await projectsAt(demo), await projectsAt(other)]).toEqual([['集团'], ['Fresh', 'other']])
  expect(
    await other.db.selectFrom('account_node').selectAll().where('account_id', '=', whole).execute(),
  ).toEqual([])
})
