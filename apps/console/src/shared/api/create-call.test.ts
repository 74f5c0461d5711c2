import { backends } from '@isotherm/contract/endpoint'
import {
  getAllModulesU,
  getUser,
  login,
  logout,
  refreshToken,
} from '@isotherm/contract/endpoints/administration/session'
import { getVauser, queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { type CallPorts, createCall } from './create-call.ts'

const user = {
  id: 7,
  account: 'dispatcher',
  name: '调度',
  pAccount: '',
  sysrole: 101,
  tel: '',
  type_id: 1,
  usrUserLevel: 1,
  usrUserType: '01',
  projectIds: [1],
}
const ok = (data: unknown) => JSON.stringify({ info: 'ok', status: 0, data })

interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly method: string | undefined
  readonly body: unknown
}

/** A call with prepared answers, which records requests and reports. */
function createWorld(
  answers: readonly (string | Error | { status: number; body: string })[],
  recover = false,
) {
  const sent: Sent[] = []
  const reported: ApiError[] = []
  const expiredTokens: (string | undefined)[] = []
  const reach: boolean[] = []
  let token = 'first-token'
  const ports: CallPorts = {
    fetch: async (url, init) => {
      const answer = answers[sent.length]
      sent.push({
        url: String(url),
        headers: new Headers(init?.headers),
        method: init?.method,
        body: init?.body,
      })
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error('no answer left')
      return typeof answer === 'string'
        ? new Response(answer)
        : new Response(answer.body, { status: answer.status })
    },
    findToken: (backend) => (backend === 'usr-cloud' ? token : 'second-token'),
    language: () => 'zh',
    describe: (code, detail) => `${code} ${detail}`,
    reportFailure: (error) => reported.push(error),
    recordReach: (reached) => reach.push(reached),
    recoverSession: async (used) => {
      expiredTokens.push(used)
      token = 'new-token'
      return recover
    },
  }
  return { call: createCall(ports), ports, sent, reported, expiredTokens, reach }
}

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`expected an ApiError, got ${String(error)}`)
}

test('§7 first backend: base /usrCloud, header token; second backend: base /ht-api/api, Authorization Bearer token', async () => {
  const first = createWorld([ok(user)])
  expect(await first.call(getUser, {})).toEqual(user)
  expect(first.sent[0]).toMatchObject({ url: '/usrCloud/user/getUser', method: 'POST', body: '{}' })
  expect(first.sent[0]?.headers.get('token')).toBe('first-token')
  expect(first.sent[0]?.headers.get('accept-language')).toBe('zh')
  const second = createWorld([
    JSON.stringify({ message: 'success', status: '200', data: { datalist: [], total: 0 } }),
  ])
  await second.call(getVauser, {})
  expect(second.sent[0]?.url).toBe('/ht-api/api/CtlDev/GetVauser')
  expect(second.sent[0]?.headers.get('authorization')).toBe('Bearer second-token')
  expect(second.sent[0]?.headers.get('token')).toBeNull()
})

test('§7 timeout 5000 ms and 45000 ms: a call without an answer in that time fails with a timeout', async () => {
  expect(backends['usr-cloud'].timeoutMs).toBe(5_000)
  expect(backends['ht-api'].timeoutMs).toBe(45_000)
  const never: CallPorts['fetch'] = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    requested.push(ms)
    return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
  })
  const requested: number[] = []
  const { ports } = createWorld([])
  const call = createCall({
    ...ports,
    fetch: (url, init) => (init?.signal?.aborted ? Promise.reject(init.signal.reason) : never(url, init)),
  })
  expect(await failureOf(call(getUser, {}))).toMatchObject({
    code: 'network.timeout',
    text: 'network.timeout 5',
  })
  expect((await failureOf(call(getVauser, {}))).text).toBe('network.timeout 45')
  expect(requested).toEqual([5_000, 45_000])
  timeout.mockRestore()
})

test('§7 success means info equals ok; the tree code treats status 0 as success', async () => {
  const projects = { list: [], total: 0 }
  const odd = (status: number) => JSON.stringify({ info: 'done', status, data: projects })
  const input = { pageNo: 1, pageSize: 20, queryGroupListStatus: 0 as const }
  expect(await createWorld([odd(0)]).call(queryProjectList, input)).toEqual(projects)
  const failed = createWorld([JSON.stringify({ info: 'ok', status: 7, data: projects })])
  expect((await failureOf(failed.call(queryProjectList, input))).code).toBe('response.status')
  const user0 = createWorld([JSON.stringify({ info: 'done', status: 0, data: user })])
  expect((await failureOf(user0.call(getUser, {}))).text).toBe('done')
})

test('a login sends no token, and a logout may send the token of a session that is already cleared here', async () => {
  const body = ok({ token: 't', uid: 7, expiresAt: 1 })
  const world = createWorld([body, ok({})])
  await world.call(login, { username: 'a', password: '0'.repeat(64) })
  await world.call(logout, { opType: 1 }, { token: 'old' })
  expect(world.sent.map(({ headers }) => headers.get('token'))).toEqual([null, 'old'])
})

test('any answer of the application counts as reached, even a refusal; a failed gateway does not', async () => {
  const world = createWorld([
    '{"info":"no","status":403}',
    new TypeError('fetch failed'),
    { status: 502, body: '<html>' },
    '<html>Sign in to the guests’ network</html>',
    { status: 503, body: '{"error":"Service Unavailable"}' },
    ok(user),
  ])
  for (let round = 0; round < 6; round += 1) await world.call(getUser, {}, { quiet: true }).catch(() => {})
  expect(world.reach).toEqual([true, false, false, false, false, true])
})

test('the input of a GET goes into the query', async () => {
  const { call, sent } = createWorld([ok({ token: 'n', expiresAt: 1 })])
  await call(refreshToken, { token: 'a b' })
  expect(sent[0]).toMatchObject({ url: '/usrCloud/user/refreshToken?token=a+b', body: null })
})

test.each([
  ['no envelope at all', 'null', 'response.null', 'response null'],
  ['a refusal without a word', '{"message":"","status":"500"}', 'response.status', 'response status error'],
  ['status 200 as a number', '{"message":"success","status":200}', 'response.null', 'response null'],
  ['another message', '{"message":"no","status":"200"}', 'response.status', 'no'],
  ['a known code', '{"message":"没有","status":"403","code":"access.denied"}', 'access.denied', '没有'],
])(
  '§5 §8 second backend, status 200 as text and message success only: refused with %s',
  async (_case, body, code, text) => {
    const { call } = createWorld([body])
    expect(await failureOf(call(getVauser, {}))).toMatchObject({ code, text })
  },
)

test('a call to the first backend fails if info is not ok; the error has the text and values of the answer', async () => {
  const body = { info: '太快', status: 1002, code: 'session.slowed', params: { retryAfterS: 8 } }
  const { call, reported } = createWorld([{ status: 429, body: JSON.stringify(body) }])
  const failure = await failureOf(call(login, { username: 'a', password: '0'.repeat(64) }))
  expect(failure).toMatchObject({ code: 'session.slowed', text: '太快', params: { retryAfterS: 8 } })
  expect(reported).toEqual([])
})

test('§8 network or HTTP failure: toast with the error text, request rejected, and logged', async () => {
  const offline = createWorld([new TypeError('fetch failed')])
  expect((await failureOf(offline.call(getUser, {}))).code).toBe('network.failed')
  expect(offline.reported).toHaveLength(1)
  const gateway = createWorld([{ status: 502, body: '<html>Bad gateway</html>' }])
  expect(await failureOf(gateway.call(getUser, {}))).toMatchObject({
    code: 'http.failed',
    text: 'http.failed 502',
  })
  expect(gateway.reported).toHaveLength(1)
  const quiet = createWorld([new TypeError('fetch failed')])
  await failureOf(quiet.call(getUser, {}, { quiet: true }))
  expect(quiet.reported).toEqual([])
})

test('§8 HTTP failure: neither the JSON error of a gateway nor the login page of a network is a refusal', async () => {
  const body = '{"statusCode":503,"error":"Service Unavailable","message":"upstream"}'
  const gateway = await failureOf(createWorld([{ status: 503, body }]).call(getUser, {}))
  expect(gateway).toMatchObject({ code: 'http.failed', isRefusal: false })
  const second = await failureOf(createWorld([{ status: 503, body }]).call(getVauser, {}))
  expect(second).toMatchObject({ code: 'http.failed', isRefusal: false })
  const portal = createWorld(['<html>Sign in to the guests’ network</html>'])
  expect(await failureOf(portal.call(getUser, {}))).toMatchObject({
    code: 'response.null',
    text: 'response null',
    isRefusal: false,
  })
})

test('§8 permission fetch with wrong status or message: the message of the server is thrown', async () => {
  const wrongStatus = createWorld(['{"message":"模块表正在维护","status":"500"}'])
  expect((await failureOf(wrongStatus.call(getAllModulesU, {}))).text).toBe('模块表正在维护')
  const wrongMessage = createWorld(['{"message":"模块表正在维护","status":"200","data":{"data":[]}}'])
  expect((await failureOf(wrongMessage.call(getAllModulesU, {}))).text).toBe('模块表正在维护')
})

test('an aborted call is rejected without a message', async () => {
  const { call, reported } = createWorld([new DOMException('gone', 'AbortError')])
  const promise = call(getUser, {}, { signal: AbortSignal.abort() })
  await expect(promise).rejects.toMatchObject({ name: 'AbortError' })
  expect(reported).toEqual([])
})

test('§4 a server status of 11 asks for a new session and repeats the call with the new token', async () => {
  const { call, sent, expiredTokens } = createWorld(['{"info":"过期","status":11}', ok(user)], true)
  expect(await call(getUser, {})).toEqual(user)
  expect(expiredTokens).toEqual(['first-token'])
  expect(sent[1]?.headers.get('token')).toBe('new-token')
})

test('status 11 is an error without a new session, or if the caller handles it', async () => {
  const declined = createWorld(['{"info":"过期","status":11}'], false)
  expect((await failureOf(declined.call(getUser, {}))).code).toBe('session.expired')
  const rejected = createWorld(['{"info":"过期","status":11}'], true)
  expect((await failureOf(rejected.call(getUser, {}, { onExpired: 'reject' }))).code).toBe('session.expired')
  expect(rejected.expiredTokens).toEqual([])
})

test('an answer that does not match the contract is an error', async () => {
  const { call } = createWorld([ok({ id: 'seven' })])
  expect((await failureOf(call(getUser, {}))).code).toBe('response.malformed')
})
