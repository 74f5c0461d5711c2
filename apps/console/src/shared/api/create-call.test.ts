import { getVauser } from '@isotherm/contract/endpoints/network'
import { getUser, login, refreshToken } from '@isotherm/contract/endpoints/session'
import { expect, test } from 'vitest'
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

/** A call whose answers are given in order, with what was sent and what was reported. */
function createWorld(
  answers: readonly (string | Error | { status: number; body: string })[],
  recover = false,
) {
  const sent: Sent[] = []
  const reported: ApiError[] = []
  const expiredTokens: (string | undefined)[] = []
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
    recoverSession: async (used) => {
      expiredTokens.push(used)
      token = 'new-token'
      return recover
    },
  }
  return { call: createCall(ports), sent, reported, expiredTokens }
}

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`expected an ApiError, got ${String(error)}`)
}

test('the first backend gets its token in the header token, the second as Authorization Bearer', async () => {
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
])('the second backend failed when it sends %s', async (_case, body, code, text) => {
  const { call } = createWorld([body])
  expect(await failureOf(call(getVauser, {}))).toMatchObject({ code, text })
})

test('the first backend failed when its info is not ok, with its text and values', async () => {
  const body = { info: '太快', status: 1002, code: 'session.slowed', params: { retryAfterS: 8 } }
  const { call, reported } = createWorld([{ status: 429, body: JSON.stringify(body) }])
  const failure = await failureOf(call(login, { username: 'a', password: '0'.repeat(64) }))
  expect(failure).toMatchObject({ code: 'session.slowed', text: '太快', params: { retryAfterS: 8 } })
  expect(reported).toEqual([])
})

test('a failure of network or HTTP is reported once and rejected', async () => {
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

test('a call its page gave up is rejected without a word', async () => {
  const { call, reported } = createWorld([new DOMException('gone', 'AbortError')])
  const promise = call(getUser, {}, { signal: AbortSignal.abort() })
  await expect(promise).rejects.toMatchObject({ name: 'AbortError' })
  expect(reported).toEqual([])
})

test('status 11 asks for a new session and repeats the call with the new token', async () => {
  const { call, sent, expiredTokens } = createWorld(['{"info":"过期","status":11}', ok(user)], true)
  expect(await call(getUser, {})).toEqual(user)
  expect(expiredTokens).toEqual(['first-token'])
  expect(sent[1]?.headers.get('token')).toBe('new-token')
})

test('without a new session, or when the caller wants to know, status 11 is an error', async () => {
  const declined = createWorld(['{"info":"过期","status":11}'], false)
  expect((await failureOf(declined.call(getUser, {}))).code).toBe('session.expired')
  const rejected = createWorld(['{"info":"过期","status":11}'], true)
  expect((await failureOf(rejected.call(getUser, {}, { onExpired: 'reject' }))).code).toBe('session.expired')
  expect(rejected.expiredTokens).toEqual([])
})

test('an answer of another shape than the contract says is an error, not data', async () => {
  const { call } = createWorld([ok({ id: 'seven' })])
  expect((await failureOf(call(getUser, {}))).code).toBe('response.malformed')
})
