import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toClientHash } from './modules/session/sign-in/passwords.ts'
import { startTestServer, type TestServer } from './testing/server.testkit.ts'

let server: TestServer
let consoleDir: string

beforeAll(async () => {
  consoleDir = await mkdtemp(join(tmpdir(), 'console-'))
  await writeFile(join(consoleDir, 'index.html'), '<!doctype html><title>console</title>')
  server = await startTestServer({
    settings: {
      ISOTHERM_CONSOLE_DIR: consoleDir,
      ISOTHERM_FRAME_ORIGINS: 'https://portal.example.com,http://10.0.0.8:8081',
      ISOTHERM_ICON_ORIGINS: 'https://icons.example.com',
      ISOTHERM_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(consoleDir, { recursive: true })
})

test.each(['/', '/index.html', '/loginiframe?username=a', '/ewph/fmreal', '/404'])(
  '§2 /loginiframe (login for embedding): %s may be framed by the configured origins only',
  async (path) => {
    const { headers } = await fetch(`${server.base}${path}`, { headers: { Accept: 'text/html' } })
    const directives = headers.get('content-security-policy')?.split(';') ?? []
    expect(directives.filter((directive) => directive.startsWith('frame-ancestors'))).toEqual([
      "frame-ancestors 'self' https://portal.example.com http://10.0.0.8:8081",
    ])
    // This old header can only forbid all frames or allow the same origin, and an old browser would obey it.
    expect(headers.get('x-frame-options')).toBeNull()
  },
)

test('§2 /loginiframe (login for embedding): the answer to a URL that cannot be read may be framed by nobody', async () => {
  const { status, headers } = await fetch(`${server.base}/%zz`)
  expect(status).toBe(400)
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('§2 An icon is external if it starts with http, https: pictures come from here and the named origins', async () => {
  const { headers } = await fetch(`${server.base}/dashboard`, { headers: { Accept: 'text/html' } })
  expect(headers.get('content-security-policy')?.split(';')).toContain(
    "img-src 'self' data: https://icons.example.com",
  )
})

const logIn = (headers: Record<string, string> = {}) =>
  server.call(
    endpoints.login,
    { username: 'viewer', password: toClientHash('isotherm-demo') },
    undefined,
    headers,
  )

test('over HTTPS the browser’s name works inside a frame of another site, separately for each site', async () => {
  const { headers } = await logIn({ 'X-Forwarded-Proto': 'https' })
  expect(headers.get('set-cookie')).toMatch(
    /^__Host-isotherm_browser=[\w-]{22}; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned$/,
  )
})

test('over plain HTTP the cookie is limited to the own site, because a browser would drop it otherwise', async () => {
  const { headers } = await logIn()
  expect(headers.get('set-cookie')).toMatch(
    /^isotherm_browser=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
})

test('signing in without a cookie, as in a frame over plain HTTP, still opens both backends', async () => {
  const first = await logIn()
  expect(first.code).toBeUndefined()
  const credentials = { username: 'viewer', password: toClientHash('isotherm-demo') }
  const second = await server.call(endpoints.tokenLogin, credentials)
  expect(second.code).toBeUndefined()
})
