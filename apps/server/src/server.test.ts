import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { toClientHash } from './modules/session/sign-in/passwords.ts'
import { namedEndpoints, startTestServer, type TestServer } from './testing/server.testkit.ts'

let server: TestServer
let consoleDir: string

beforeAll(async () => {
  consoleDir = await mkdtemp(join(tmpdir(), 'console-'))
  await mkdir(join(consoleDir, 'assets'))
  await writeFile(join(consoleDir, 'index.html'), '<!doctype html><title>console</title>')
  await writeFile(join(consoleDir, 'assets', 'app-1a2b3c.js'), 'export {}')
  await writeFile(join(consoleDir, 'assets', 'app-1a2b3c.js.br'), brotliCompressSync('export {}'))
  server = await startTestServer({
    rateLimits: {
      requestsPerMinute: 400,
      publicCallsPerMinute: 20,
      publicCallsPerNetwork: 200,
      loggedCallsPerMinute: 400,
    },
    settings: { ISOTHERM_CONSOLE_DIR: consoleDir },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(consoleDir, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.base}${path}`, { headers })
const page = { Accept: 'text/html' }

test('the server is alive and ready, and lists its checks', async () => {
  expect((await get('/healthz')).status).toBe(200)
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ready', checks: { postgres: true, clickhouse: true, broker: true, ingest: true } },
  ])
})

test('metrics are for this machine only, not through a proxy', async () => {
  const text = await (await get('/metrics')).text()
  expect(text).toContain('isotherm_live_clients 0')
  expect(text).toContain('isotherm_commands_open{state="queued"} 0')
  expect((await get('/metrics', { 'X-Forwarded-For': '10.1.1.1' })).status).toBe(404)
})

test('OpenAPI lists every endpoint, and its page loads nothing from other sites', async () => {
  const document = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))) })
    .parse(await (await get('/docs/json')).json())
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  )
  const declared = namedEndpoints.map(
    ([name, endpoint]) => `${name} ${endpoint.method.toLowerCase()} ${toUrlPath(endpoint)}`,
  )
  expect(listed.toSorted()).toEqual(declared.toSorted())
  const html = await (await get('/docs', page)).text()
  expect(html).toContain('Swagger UI')
  expect(html).not.toMatch(/(?:src|href)="https?:/)
})

test('every reference within the OpenAPI document resolves', async () => {
  const text = await (await get('/docs/json')).text()
  const document: unknown = JSON.parse(text)
  const references = [...text.matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer = '']) => pointer)
  expect(references.length).toBeGreaterThan(0)
  for (const pointer of references) {
    const parts = pointer.split('/').slice(1)
    const found = parts.reduce<unknown>(
      (at, part) =>
        z.record(z.string(), z.unknown()).parse(at)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
    expect(found, pointer).toBeDefined()
  }
})

test('the page is never cached, assets with a hash in their name are cached forever', async () => {
  const index = await get('/', page)
  expect([await index.text(), index.headers.get('cache-control')]).toEqual([
    '<!doctype html><title>console</title>',
    'no-cache',
  ])
  const asset = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'br' })
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect([asset.headers.get('content-encoding'), await asset.text()]).toEqual(['br', 'export {}'])
  expect(
    (await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'identity' })).headers.has('content-encoding'),
  ).toBe(false)
})

test('a console route is answered with the page, a missing file is not found', async () => {
  const route = await get('/ewph/fmreal?from=1', page)
  expect([route.status, await route.text()]).toEqual([200, '<!doctype html><title>console</title>'])
  expect((await get('/assets/gone.js')).status).toBe(404)
  expect((await get('/usrCloud/user/nothing', page)).status).toBe(404)
  expect((await get('/..%2f..%2fpackage.json')).status).toBe(404)
})

test('an address with two slashes is answered with the console page only', async () => {
  const route = await get('/redirect//example.org/x', page)
  expect([route.status, await route.text()]).toEqual([200, '<!doctype html><title>console</title>'])
  expect((await get('/redirect//example.org/x')).status).toBe(404)
})

test('security headers allow only the console, and do not force HTTPS', async () => {
  const { headers } = await get('/', page)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('upgrade-insecure-requests')
  expect(headers.get('strict-transport-security')).toBeNull()
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('our pages may use the camera, and no page in a frame and no other device', async () => {
  const { headers } = await get('/', page)
  expect(headers.get('permissions-policy')).toBe(
    'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  )
})

test('without configured origins no page may frame the console, not even its own', async () => {
  for (const path of ['/', '/loginiframe', '/ewph/fmreal', '/docs/static/index.html', '/usrCloud/nothing']) {
    const { headers } = await get(path, page)
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options'), path).toBe('DENY')
  }
})

test.each([
  ['/usrCloud/user/nothing', { info: 'Unknown call', status: 404, code: 'request.unknown', params: {} }],
  ['/ht-api/api/Nothing', { message: 'Unknown call', status: '404', code: 'request.unknown', params: {} }],
])("an unknown call of %s is answered in its backend's envelope", async (path, body) => {
  const answer = await get(path, { 'Accept-Language': 'en-GB,zh;q=0.5' })
  expect([answer.status, await answer.json()]).toEqual([404, body])
})

test('texts are in the language of the caller, Chinese by default', async () => {
  const text = async (language: string) =>
    (await server.call(endpoints.getUser, {}, undefined, { 'Accept-Language': language })).text
  expect(await text('en')).toBe('Please log in')
  expect(await text('zh-CN,en;q=0.8')).toBe('请先登录')
  expect(await text('fr')).toBe('请先登录')
})

test('a refused body is explained wholly in the language of the caller', async () => {
  const refuse = async (body: string, language: string) => {
    const headers = { ...(await authorize()), 'Accept-Language': language }
    return (await server.send(endpoints.getVauser, body, headers)).text
  }
  expect(await refuse('{', 'zh')).toBe('请求内容不是有效的 JSON')
  expect(await refuse('{', 'en')).toBe('The request body is not valid JSON')
  const wrong = JSON.stringify({ limiter: { page: 'first', size: 0 } })
  expect(await refuse(wrong, 'zh')).toMatch(
    /^请求内容有误，请检查输入后重试（[^（）]*\p{Script=Han}[^（）]*）$/u,
  )
  expect(await refuse(wrong, 'en')).not.toMatch(/\p{Script=Han}/u)
})

/** Headers of a known caller of the second backend. */
async function authorize() {
  signedIn ??= server.logIn('admin', 'isotherm-demo')
  return server.toHeaders(endpoints.getVauser, (await signedIn)['ht-api'])
}
let signedIn: ReturnType<typeof server.logIn> | undefined

test('a body over the limit is refused before it is read', async () => {
  const body = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) })
  const answer = await server.send(endpoints.getVauser, body, await authorize())
  expect([answer.http, answer.code]).toEqual([413, 'request.too-large'])
})

test('the body of a stranger is not read: one without a token, one with a token in a long body, a long sign-in', async () => {
  const stranger = await server.send(endpoints.getVauser, '{', { 'Content-Type': 'application/json' })
  expect(stranger.code).toBe('session.missing')
  const long = (kb: number) => JSON.stringify({ token: 'a', padding: 'x'.repeat(kb * 1024) })
  const json = { 'Content-Type': 'application/json', 'Accept-Language': 'en' }
  const inBody = await server.send(endpoints.logout, long(70), json)
  expect([inBody.http, inBody.code, inBody.text]).toEqual([
    413,
    'request.too-large',
    expect.stringContaining('64'),
  ])
  const signIn = await server.send(endpoints.login, long(20), json)
  expect([signIn.http, signIn.code, signIn.text]).toEqual([
    413,
    'request.too-large',
    expect.stringContaining('16'),
  ])
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
  'a body of type %s is refused',
  async (type) => {
    const headers = { ...(await authorize()), 'Content-Type': type }
    const answer = await server.send(endpoints.getVauser, '{}', headers)
    expect([answer.http, answer.code]).toEqual([400, 'request.media-type'])
  },
)

test.each(['', '{', 'nothing', '{"a": 1,}'])(
  'the body %j is refused in the language of the user',
  async (body) => {
    const headers = { ...(await authorize()), 'Accept-Language': 'zh' }
    const answer = await server.send(endpoints.getVauser, body, headers)
    expect([answer.http, answer.code]).toEqual([400, 'request.not-json'])
    expect(answer.text).toBe('请求内容不是有效的 JSON')
  },
)

test('a call over the time limit of its backend fails with an error, and works again later', async () => {
  const { 'usr-cloud': token } = await server.logIn('admin', 'isotherm-demo')
  const outside = new pg.Client({ connectionString: server.config.databaseUrl })
  await outside.connect()
  try {
    await outside.query('begin')
    await outside.query('lock table account in access exclusive mode')
    const answer = await server.call(endpoints.getUser, {}, token)
    expect([answer.http, answer.code]).toEqual([503, 'server.unavailable'])
    // The statement has a longer limit and still waits.
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    expect((await outside.query(waiting)).rows).not.toEqual([])
  } finally {
    await outside.end()
  }
  expect((await server.call(endpoints.getUser, {}, token)).code).toBeUndefined()
})

test('calls fail with an error while the database refuses connections, and work again afterwards', async () => {
  const { 'usr-cloud': token } = await server.logIn('admin', 'isotherm-demo')
  const name = new URL(server.config.databaseUrl).pathname.slice(1)
  const url = new URL(server.config.databaseUrl)
  url.pathname = '/postgres'
  const outside = new pg.Client({ connectionString: url.href })
  await outside.connect()
  const allow = (allowed: boolean) => outside.query(`alter database ${name} allow_connections ${allowed}`)
  try {
    await allow(false)
    await outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await vi.waitFor(
      async () => {
        const answer = await server.call(endpoints.getUser, {}, token)
        expect([answer.http, answer.code]).toEqual([503, 'server.unavailable'])
      },
      { timeout: 30_000 },
    )
    expect((await get('/readyz')).status).toBe(503)
    const metrics = await get('/metrics')
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.not.stringMatching(/commands_open\{|alarms_open\{|alarm_notices\{/),
    ])
  } finally {
    await allow(true)
    await outside.end()
  }
  await expect.poll(async () => (await server.call(endpoints.getUser, {}, token)).code).toBeUndefined()
  expect((await get('/readyz')).status).toBe(200)
})

test('signals arrive again after their connection broke', async () => {
  const { 'usr-cloud': token } = await server.logIn('viewer', 'isotherm-demo')
  const ended: unknown[] = []
  const stop = server.session.onEnded((id) => ended.push(id))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`.execute(server.db)
  const { sessionId } = await server.session.authenticate('usr-cloud', token)
  await vi.waitFor(
    async () => {
      await server.signals.send('session_ended', String(sessionId))
      expect(ended).toContain(sessionId)
    },
    { timeout: 30_000, interval: 200 },
  )
  stop()
})

test('calls without a session are limited by address and account, separately from the others', async () => {
  const signInAs = (username: string | undefined) =>
    server.call(endpoints.tokenLogin, { username, password: toClientHash('wrong password') })
  const malformed = await Promise.all(Array.from({ length: 25 }, () => signInAs(undefined)))
  const guesses = await Promise.all(Array.from({ length: 25 }, () => signInAs('guessed')))
  for (const results of [malformed, guesses]) {
    const codes = results.map(({ http, code }) => `${http} ${code}`)
    expect(codes).toContain('429 request.too-many')
  }
  // The sign-in of an owner at the same address, and the settings that the login page needs.
  await server.logIn('viewer', 'isotherm-demo')
  expect((await server.call(endpoints.getConsoleSettings, {})).http).toBe(200)
  expect((await server.call(endpoints.getUser, {})).code).toBe('session.missing')
})
