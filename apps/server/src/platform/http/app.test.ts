/** What every answer of the server has, whatever is requested, and what the access log says of it. No database. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createCallerGate } from '../tasks/turns/caller-gate.ts'
import { createTestApp } from './app.testkit.ts'
import { createTestCaller } from './call.testkit.ts'
import { defaultRateLimits } from './rate-limits.ts'

const PROXY = '10.9.9.9'
const METRICS_TOKEN = 'a token of the tests only'

let app: FastifyInstance
let consoleDir: string
const lines: string[] = []

beforeAll(async () => {
  consoleDir = mkdtempSync(join(tmpdir(), 'isotherm-console-'))
  await mkdir(join(consoleDir, 'assets'))
  writeFileSync(join(consoleDir, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(consoleDir, 'assets', 'app-1a2b3c.js'), 'export {}')
  app = await createTestApp({
    log: createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) }),
    rateLimits: { ...defaultRateLimits, publicCallsPerMinute: 2 },
    trustedProxies: [PROXY],
    metricsToken: METRICS_TOKEN,
    consoleDir,
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  rmSync(consoleDir, { recursive: true })
})
beforeEach(() => {
  lines.length = 0
})

const getUser = { method: 'POST', url: toUrlPath(endpoints.getUser), payload: {} } as const
const login = { method: 'POST', url: toUrlPath(endpoints.login), payload: {} } as const
const withToken = { token: 'any' } as const
const denied = { method: 'POST', url: toUrlPath(endpoints.getSessions), payload: {} } as const

/** One request for each kind of answer. */
const requests = {
  page: { url: '/', headers: { accept: 'text/html' } },
  'a route of the console': { url: '/ewph/fmreal', headers: { accept: 'text/html' } },
  asset: { url: '/assets/app-1a2b3c.js' },
  call: { ...getUser, headers: withToken },
  'a call that is refused': getUser,
  'a call with a body that is not JSON': {
    ...login,
    payload: '{',
    headers: { 'content-type': 'application/json' },
  },
  'an unknown call': { url: '/usrCloud/nothing' },
  'a missing file': { url: '/assets/none.js' },
  'the list of a folder': { url: '/assets/' },
  'a URL that cannot be read': { url: '/%zz' },
  'the description of the calls': { url: '/docs/json' },
  metrics: { url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } },
  health: { url: '/healthz' },
} as const

test.each(Object.entries(requests))('%s has the security headers', async (_name, request) => {
  const { headers } = await app.inject(request)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('no-referrer')
  const policy = String(headers['content-security-policy']).split(/; ?/)
  expect(policy).toContain("frame-ancestors 'none'")
  // Without a source for its kind, `default-src` decides; `base-uri` and `frame-ancestors` have no such default.
  if (!policy.includes("default-src 'none'")) {
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
      ]),
    )
  }
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
})

test.each([
  ['page', 'text/html; charset=utf-8'],
  ['asset', 'application/javascript; charset=utf-8'],
  ['call', 'application/json; charset=utf-8'],
  ['a call that is refused', 'application/json; charset=utf-8'],
  ['an unknown call', 'application/json; charset=utf-8'],
  ['a URL that cannot be read', 'application/json; charset=utf-8'],
  ['metrics', 'text/plain; version=0.0.4; charset=utf-8'],
] as const)('%s has its type with the charset', async (name, type) => {
  const answer = await app.inject(requests[name])
  expect(String(answer.headers['content-type']).replace('text/javascript', 'application/javascript')).toBe(
    type,
  )
})

test.each([
  'call',
  'a call that is refused',
  'a call with a body that is not JSON',
  'an unknown call',
] as const)('%s is stored by nobody on its way', async (name) => {
  expect((await app.inject(requests[name])).headers['cache-control']).toBe('no-store')
})

test('a folder is not listed, and TRACE repeats nothing', async () => {
  for (const url of ['/assets', '/assets/', '/.git/HEAD', '/.git/'])
    expect((await app.inject({ url })).statusCode, url).toBe(404)
  const traced = await app.inject({ method: 'TRACE', url: '/', headers: { token: 'secret-of-the-header' } })
  expect(traced.statusCode).toBe(404)
  expect(traced.body).not.toContain('secret-of-the-header')
})

test('in production metrics need their token, also on the machine itself', async () => {
  const read = (authorization?: string) =>
    app.inject({
      url: '/metrics',
      remoteAddress: '127.0.0.1',
      headers: authorization ? { authorization } : {},
    })
  expect((await read()).statusCode).toBe(404)
  expect((await read(`Bearer ${METRICS_TOKEN}x`)).statusCode).toBe(404)
  expect((await read(`Bearer ${METRICS_TOKEN}`)).statusCode).toBe(200)
})

/** The line of the access log about one call. */
async function logged(request: InjectOptions): Promise<Record<string, unknown>> {
  lines.length = 0
  await app.inject(request)
  const calls = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'call')
  expect(calls).toHaveLength(1)
  return calls[0]
}

test('the log says why a call was refused', async () => {
  expect(await logged({ ...getUser, headers: withToken })).not.toHaveProperty('failure')
  expect(await logged(getUser)).toMatchObject({ failure: 'session.missing' })
  const authorization = 'Bearer any'
  expect(await logged({ ...denied, headers: { authorization } })).toMatchObject({
    failure: 'access.denied',
    account: 'tester',
  })
  expect(await logged(login)).toMatchObject({ failure: 'request.malformed' })
  expect(await logged({ url: '/usrCloud/nothing' })).toMatchObject({ failure: 'request.unknown' })
  await logged(login)
  expect(await logged(login)).toMatchObject({ http: 429, failure: 'request.too-many' })
})

test('the address of a user is the last one that a trusted proxy has seen', async () => {
  const from = (remoteAddress: string, forwarded: string) =>
    logged({ ...getUser, remoteAddress, headers: { 'x-forwarded-for': forwarded } })
  expect(await from(PROXY, '1.1.1.1, 10.0.0.7')).toMatchObject({ ip: '10.0.0.7' })
  expect(await from('10.0.0.8', '1.1.1.1')).toMatchObject({ ip: '10.0.0.8' })
})

test('over HTTPS the cookie is of this host and of HTTPS only, over plain HTTP a browser would drop that', async () => {
  const cookieOf = async (headers: Record<string, string>) =>
    String((await app.inject({ ...login, remoteAddress: PROXY, headers })).headers['set-cookie'])
  const https = { 'x-forwarded-for': '10.0.0.5', 'x-forwarded-proto': 'https' }
  const cookie = await cookieOf(https)
  expect(cookie).toMatch(/^__Host-isotherm_browser=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  // A browser has one name.
  expect(await cookieOf({ ...https, cookie: cookie.split(';')[0] ?? '' })).toBe('undefined')
  expect(await cookieOf({})).toMatch(/^isotherm_browser=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict$/)
})

test('a message with two lengths is refused, and nothing is read behind it', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += String(bytes)
  })
  socket.on('error', () => undefined)
  const hidden = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  socket.write(
    `POST ${login.url} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${hidden.length + 5}\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  )
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('a call whose client has gone is carried out, and is no error of the server', async () => {
  const called = Promise.withResolvers<void>()
  const server = await createTestApp({
    log: createLog({ logLevel: 'error' }, { write: (line) => void lines.push(line) }),
    authenticate: async () => {
      called.resolve()
      return createTestCaller()
    },
  })
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    server.server.prependOnceListener('request', ({ socket }) => void socket.destroy())
    const { port } = server.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').resume()
    socket.write(`POST ${getUser.url} HTTP/1.1\r\nHost: a\r\nToken: any\r\nContent-Length: 0\r\n\r\n`)
    await Promise.all([once(socket, 'close'), called.promise])
  } finally {
    await server.close()
  }
  expect(lines).toEqual([])
})

test('a waiting call whose client has gone gives up its place, and is no error of the server', async () => {
  const gate = createCallerGate({ running: 1, waiting: 1 })
  const answered = Promise.withResolvers<null>()
  let [waiting, running, left] = [0, 0, 0]
  const handle = async (): Promise<null> => {
    waiting += 1
    try {
      return await gate(() => {
        running += 1
        return answered.promise
      })
    } catch (error) {
      if (error instanceof AppError && error.code === 'request.abandoned') left += 1
      throw error
    }
  }
  const server = await createTestApp({
    log: createLog({ logLevel: 'error' }, { write: (line) => void lines.push(line) }),
    // One answer for all calls fits none of their types.
    handlers: new Proxy({}, { get: () => handle }) as never,
  })
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const call = { ...getUser, headers: withToken }
    const first = server.inject(call)
    await expect.poll(() => running).toBe(1)
    const socket = connect(port, '127.0.0.1').resume()
    socket.write(`POST ${getUser.url} HTTP/1.1\r\nHost: a\r\nToken: any\r\nContent-Length: 0\r\n\r\n`)
    await expect.poll(() => waiting).toBe(2)
    expect((await server.inject(call)).statusCode).toBe(429)
    socket.destroy()
    await expect.poll(() => left).toBe(1)
    const next = server.inject(call)
    await expect.poll(() => waiting).toBe(4)
    answered.resolve(null)
    expect([(await first).statusCode, (await next).statusCode]).toEqual([200, 200])
    expect(running).toBe(2)
  } finally {
    await server.close()
  }
  expect(lines).toEqual([])
})

test('an account that changes without end is refused until the next minute, and the log gets no more of it', async () => {
  const recorded: string[] = []
  const now = Date.UTC(2026, 10, 30, 12, 0, 20)
  const server = await createTestApp({
    rateLimits: { ...defaultRateLimits, loggedCallsPerMinute: 2 },
    clock: { ...systemClock, now: () => now },
    authenticate: async (_backend, token) => createTestCaller({ accountId: Number(token), account: token }),
    recordOperation: async ({ account }, result) => void recorded.push(`${account} ${result}`),
  })
  const change = (accountId: number) =>
    server.inject({
      method: 'POST',
      url: toUrlPath(endpoints.deleteApiKey),
      payload: {},
      headers: { authorization: `Bearer ${accountId}` },
    })
  try {
    for (const _ of [1, 2]) expect((await change(1)).statusCode).toBe(200)
    const refused = await change(1)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('40')
    expect((await change(2)).statusCode).toBe(200)
    const upload = {
      method: 'POST',
      url: `${toUrlPath(endpoints.uploadReadings)}?size=9`,
      payload: 'part',
    } as const
    for (const _ of [1, 2, 3])
      expect((await server.inject({ ...upload, headers: { authorization: 'Bearer 3' } })).statusCode).toBe(
        200,
      )
    // Reading goes on.
    expect((await server.inject({ ...getUser, headers: { token: '1' } })).statusCode).toBe(200)
  } finally {
    await server.close()
  }
  expect(recorded.filter((each) => !each.startsWith('3'))).toEqual([
    '1 access.denied',
    '1 access.denied',
    '2 access.denied',
  ])
})
