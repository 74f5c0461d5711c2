import { once } from 'node:events'
import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { getOperations } from '@isotherm/contract/endpoints/administration/operations'
import { addRole } from '@isotherm/contract/endpoints/administration/roles'
import { getUsers, regUser2 } from '@isotherm/contract/endpoints/administration/users'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { getCtlGroup } from '@isotherm/contract/endpoints/devices/device-groups'
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
import { operate, recordOperation } from '../operation/operate.pg.ts'
import { toSystemOperation } from '../operation/operation.ts'
import { recordChanges } from '../operation/record-changes.pg.ts'

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
    [
      'ps-oraigionsys',
      'pd-datadevmanager',
      'ps-interfacesys',
      'ps-usersys',
      'ps-htusersys',
      'ps-oplogsys',
      'pg-groupmanage',
      'ps-rolesys',
    ],
    [],
    'provider',
  )
  await demo.createAccount('ours', ['pe-fmreal', 'ps-oplogsys'], ['p'])
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
  // Every server lists the refusals of tenants that no company has.
  await expect.poll(() => reasonsAt(other)).toEqual(['nobody/C-b2 elsewhere', 'other/C-b2 elsewhere'])
  expect(await reasonsAt(demo)).toEqual(['nobody/C-b2 elsewhere'])
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
  // That server has two companies, one without a project.
  const unnamed = await callAs(other, 'whole', 'addProject', { projectName: 'Fresh' })
  expect(unnamed.code).toBe('request.malformed')
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

test('provider staff manage accounts of the provider and first accounts of companies without a project', async () => {
  const empty = await other.db
    .selectFrom('company')
    .select('id')
    .where('tenant', '=', 'new')
    .executeTakeFirstOrThrow()
  const add = async (server: TestServer, account: string, owner: object) => {
    const passwordText = 'Warm-7-Radiators'
    const given = { account, name: account, password: toClientHash(passwordText), passwordText, ...owner }
    return regUser2.output.parse((await callAs(server, 'whole', 'regUser2', given)).data)
  }
  const accountsAt = async (server: TestServer) => {
    const { data } = await callAs(server, 'whole', 'getUsers', projects)
    const names = getUsers.output.parse(data).list.map(({ account }) => account)
    return names.filter((name) => ['colleague', 'first', 'next', 'ours', 'theirs', 'whole'].includes(name))
  }
  const colleague = await add(other, 'colleague', { usrUserType: '100' })
  const first = await add(other, 'first', { companyId: empty.id })
  // Of the only company of that server.
  await add(demo, 'next', {})
  expect([await accountsAt(demo), await accountsAt(other)]).toEqual([
    ['colleague', 'next', 'ours', 'whole'],
    ['colleague', 'first', 'theirs', 'whole'],
  ])
  // A role of the provider may be held anywhere.
  const { id: moduleId } = await demo.db
    .selectFrom('module')
    .where('url', '=', 'pg-groupmanage')
    .select('id')
    .executeTakeFirstOrThrow()
  const given = { name: 'planner', code: 102, description: '', moduleIds: [moduleId] }
  const role = addRole.output.parse((await callAs(demo, 'whole', 'addRole', given)).data)
  await demo.db.insertInto('account_role').values({ account_id: first.id, role_id: role.id }).execute()
  const { id: roleId, version } = role
  const emptied = await callAs(demo, 'whole', 'updateRoleResByTK', { roleId, version, moduleIds: [] })
  expect(emptied.code).toBeUndefined()
  const disable = (server: TestServer, { id }: { readonly id: number }) =>
    callAs(server, 'whole', 'editUserEnableState', { id, state: 0 })
  expect((await disable(demo, first)).code).toBe('account.not-found')
  for (const account of [colleague, first]) expect((await disable(other, account)).code).toBeUndefined()
})

test('provider staff see in the log what the system did, except what touched companies of other servers', async () => {
  const now = Date.now()
  await recordOperation(demo.db, toSystemOperation('everywhere', now), 'ok')
  const deleted = { ...toSystemOperation('of-deleted', now), accountId: 999_999 }
  await recordOperation(demo.db, deleted, 'ok')
  for (const tenant of ['demo', 'other']) {
    const { path } = await demo.db
      .selectFrom('node')
      .innerJoin('company', 'company.id', 'node.company_id')
      .where('company.tenant', '=', tenant)
      .where('node.kind', '=', 'project')
      .select('node.path')
      .executeTakeFirstOrThrow()
    await operate(demo.db, toSystemOperation(`at-${tenant}`, now), (transaction) =>
      recordChanges(transaction, 'node', [{ id: 1, before: {}, after: {}, path }]),
    )
  }
  const seenAt = async (server: TestServer, account = 'whole') => {
    const { data } = await callAs(server, account, 'getOperations', {})
    const entries = getOperations.output.parse(data).datalist
    return entries
      .filter(({ account }) => account === '')
      .map(({ endpoint, whole: isWhole }) => `${endpoint} ${isWhole}`)
  }
  expect([await seenAt(demo), await seenAt(other)]).toEqual([
    ['at-demo true', 'of-deleted true', 'everywhere true'],
    ['at-other true', 'of-deleted true', 'everywhere true'],
  ])
  // Staff of a company see what the system changed below their own nodes, without the rest of the entry.
  expect(await seenAt(demo, 'ours')).toEqual(['at-demo false'])
})

test('provider staff see the empty device groups of the companies of their server', async () => {
  const companies = await demo.db.selectFrom('company').select(['id', 'tenant']).execute()
  const groups = companies.map(({ id, tenant }) => ({ company_id: id, name: tenant, description: '' }))
  await demo.db.insertInto('device_group').values(groups).execute()
  const groupsAt = async (server: TestServer) => {
    const { data } = await callAs(server, 'whole', 'getCtlGroup', {})
    return getCtlGroup.output.parse(data).datalist.map(({ name }) => name)
  }
  expect([await groupsAt(demo), await groupsAt(other)]).toEqual([['demo'], ['new', 'other']])
})
