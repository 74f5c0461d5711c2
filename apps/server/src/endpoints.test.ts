import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { permissions } from '@isotherm/contract/permissions'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toClientHash } from './modules/session/passwords.ts'
import { namedEndpoints, startTestServer, type TestServer, type Tokens } from './server.testkit.ts'

let server: TestServer
/** A good input of every endpoint, about the first station where it is about a place. */
let inputs: Readonly<Record<EndpointName, unknown>>
let expired: Tokens
let nobody: Tokens
let stranger: Tokens

const given = z.object({ commands: z.array(z.object({ id: z.string() })) })

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', permissions, ['p'])
  await server.createAccount('nobody', [], ['p'])
  await server.createAccount('stranger', permissions, ['s2'])
  const deviceId = await server.deviceId('V-b2u1')
  const projectId = await server.nodeId('p')
  const nodes = [await server.nodeKey('s1'), await server.nodeKey('b2')]
  const limiter = { page: 1, size: 100 }
  const credentials = { username: 'whole', password: toClientHash('whole') }
  const vauserFilter = { filter: [{ field: 'name', cond: 'regex', vrex: '.*' }], limiter }
  const command = { targets: [{ deviceId, openingPct: 40 }], reason: 'test' }
  const whole = await server.logIn('whole')
  const answer = await server.call(endpoints.publishMqCtlCmd, command, whole['ht-api'])
  inputs = {
    login: credentials,
    tokenLogin: credentials,
    logout: { opType: 1 },
    getUser: {},
    refreshToken: {},
    reflushToken: {},
    getAllModulesU: {},
    getConsoleSettings: {},
    queryProjectList: { pageNo: 1, pageSize: 20, queryGroupListStatus: 1 },
    getDevGroups: { projectId, id: await server.nodeId('s1'), devCountIsContainChildren: 1 },
    getSubdiv: { filter: [], limiter },
    getSubUser: vauserFilter,
    getVauser: vauserFilter,
    searchTree: { text: '楼', size: 100 },
    getDevsFromPrjTree: { nodes, kinds: ['valve'], limiter },
    getDataLastFromNodeList: { nodes, kinds: ['valve'], limiter },
    getDataHisFromDevs: {
      deviceIds: [deviceId],
      metrics: ['valve.opening'],
      from: 0,
      to: 1_000,
      maxPoints: 100,
    },
    getNodeHealth: { nodes },
    publishMqCtlCmd: command,
    getCtlLog: { nodes, deviceIds: [deviceId], limiter },
    getCtlLogCmdLast: { deviceIds: [deviceId] },
    deleteCtlCmd: { ids: given.parse(answer.data).commands.map(({ id }) => id) },
  }
  nobody = await server.logIn('nobody')
  stranger = await server.logIn('stranger')
  expired = await server.logIn('nobody')
  const session = await server.session.authenticate('ht-api', expired['ht-api'])
  await server.db
    .updateTable('token')
    .set({ expires_at: new Date(0) })
    .where('session_id', '=', session.sessionId)
    .execute()
})
afterAll(() => server.stop())

/** Outcomes of a good call that depend on how far the field has come. */
const alsoGood: readonly unknown[] = ['command.not-cancellable']
/** Names and serials below the first station; none of them may reach who is granted only the second. */
const FOREIGN = /一号站|东区|二号楼|十号楼|[VRC]-b2|[VRC]-b10/
const NOT_FOUND = /^(node|device|command)\.not-found$/

describe.each(namedEndpoints)('%s', (name, endpoint) => {
  const token = (tokens: Tokens): string => tokens[endpoint.backend]
  const other = endpoint.backend === 'usr-cloud' ? 'ht-api' : 'usr-cloud'

  test('answers a good call as the contract says', async () => {
    const tokens = await server.logIn('whole')
    const { http, code, status } = await server.call(endpoint, inputs[name], token(tokens))
    expect(http).toBe(200)
    expect([undefined, ...alsoGood]).toContain(code)
    if (code === undefined) expect(status).toBe(endpoint.backend === 'usr-cloud' ? '0' : '200')
  })

  test('answers only who is signed in, unless it is declared public', async () => {
    const { http, code, status } = await server.call(endpoint, inputs[name])
    expect(http).toBe(200)
    expect(code).toBe(endpoint.access.kind === 'public' ? undefined : 'session.missing')
    if (endpoint.access.kind !== 'public') expect(status).toBe('401')
  })

  test('does not take an expired token', async () => {
    const { code, status } = await server.call(endpoint, inputs[name], token(expired))
    expect(code).toBe(endpoint.access.kind === 'public' ? undefined : 'session.expired')
    if (endpoint.access.kind !== 'public') expect(status).toBe('11')
  })

  test('does not take a token of the other backend', async () => {
    const { code } = await server.call(endpoint, inputs[name], nobody[other])
    expect(code).toBe(endpoint.access.kind === 'public' ? undefined : 'session.expired')
  })

  test('asks for exactly the permission it declares', async () => {
    const tokens = await server.logIn('nobody')
    const { code } = await server.call(endpoint, inputs[name], token(tokens))
    if (endpoint.access.kind === 'permission') expect(code).toBe('access.denied')
    else expect(code).toBeUndefined()
  })

  test('tells nothing of a foreign subtree', async () => {
    const tokens = await server.logIn('stranger')
    const { code, body } = await server.call(endpoint, inputs[name], token(tokens))
    if (code !== undefined) expect(code).toMatch(NOT_FOUND)
    expect(body).not.toMatch(FOREIGN)
  })

  test('refuses a malformed body with 400 and says where', async () => {
    const tokens = await server.logIn('whole')
    const malformed = endpoint.method === 'GET' ? 'token=a&token=b' : '[]'
    const answer = await server.send(endpoint, malformed, server.toHeaders(endpoint, token(tokens)))
    expect([answer.http, answer.code]).toEqual([400, 'request.malformed'])
    expect(answer.text).toMatch(/^The request is malformed: \w+: /)
  })

  test('answers any body with an envelope and never fails itself', async () => {
    // Signed in anew, for the endpoint itself may end the session.
    const valid = JSON.stringify(inputs[name])
    const garbage = fc.oneof(
      fc.json(),
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.nat({ max: valid.length }).map((length) => valid.slice(0, length)),
      fc
        .tuple(fc.nat({ max: valid.length }), fc.string({ maxLength: 4 }))
        .map(([at, text]) => valid.slice(0, at) + text + valid.slice(at)),
      fc.constantFrom(
        '{"__proto__":{"x":1}}',
        '{"constructor":{"prototype":{}}}',
        '[[[[[[[[',
        'null',
        '0',
        '""',
      ),
    )
    let tokens = await server.logIn('whole')
    await fc.assert(
      fc.asyncProperty(garbage, async (body) => {
        const answer = await server.send(endpoint, body, server.toHeaders(endpoint, token(tokens)))
        if (answer.code === 'session.expired') tokens = await server.logIn('whole')
        expect(answer.http).toBeLessThan(500)
      }),
      { numRuns: 40 },
    )
  })
})

test('an address of a subtree in another company is as unknown as none', async () => {
  const nodes = [await server.nodeKey('s1')]
  const input = { nodes, kinds: ['valve'], limiter: { page: 1, size: 10 } }
  const { code, status } = await server.call(endpoints.getDevsFromPrjTree, input, stranger['ht-api'])
  expect([code, status]).toEqual(['node.not-found', '2001'])
})

test('a token in body or query opens the first backend, as the specification has it', async () => {
  const token = nobody['usr-cloud']
  expect((await server.call(endpoints.getUser, { token })).code).toBeUndefined()
  const query = new URLSearchParams({ token }).toString()
  expect((await server.send(endpoints.refreshToken, query, {})).code).toBeUndefined()
})
