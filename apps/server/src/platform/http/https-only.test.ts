import { once } from 'node:events'
import type { Socket } from 'node:net'
import websocket from '@fastify/websocket'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createTestApp } from './app.testkit.ts'

const PROXY = '127.0.0.1'
let app: FastifyInstance
let address: string
const sockets = new Set<Socket>()

beforeAll(async () => {
  app = await createTestApp({ isHttpsOnly: true, trustedProxies: [PROXY] })
  await app.register(websocket)
  await app.register(async (scope) => {
    scope.get('/live', { websocket: true }, (socket) => socket.close(1000))
  })
  app.server.on('connection', (socket) => sockets.add(socket))
  address = await app.listen({ host: PROXY, port: 0 })
})
afterAll(async () => {
  // The connection of a refused WebSocket would hold the end of the server up.
  for (const socket of sockets) socket.destroy()
  await app.close()
})

const byHttps = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' } as const
const byHttp = { ...byHttps, 'x-forwarded-proto': 'http' } as const
const call = { method: 'POST', url: toUrlPath(endpoints.getUser), payload: {} } as const

test.each([
  ['past the proxy', PROXY, {}],
  ['by plain HTTP to the proxy', PROXY, byHttp],
  ['past the proxy, with its header', '192.0.2.7', byHttps],
])(
  'a call %s is refused before its token is looked at, and so is a page',
  async (_how, remoteAddress, headers) => {
    const refused = await app.inject({ ...call, remoteAddress, headers: { ...headers, token: 'any' } })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ status: 403 })
    expect((await app.inject({ url: '/docs/', remoteAddress, headers })).statusCode).toBe(403)
    expect((await app.inject({ url: '/none', remoteAddress, headers })).statusCode).toBe(403)
  },
)

test('by HTTPS to the proxy all is answered, and health also without', async () => {
  const answered = await app.inject({ ...call, headers: { ...byHttps, token: 'any' } })
  expect(answered.statusCode).toBe(200)
  for (const url of ['/healthz', '/readyz']) expect((await app.inject({ url })).statusCode, url).toBe(200)
  // Without its token /metrics answers as if it were not there.
  expect((await app.inject({ url: '/metrics' })).statusCode).toBe(404)
})

test('a WebSocket opens by HTTPS only', async () => {
  const open = (headers: Record<string, string>) =>
    new WebSocket(`${address.replace('http', 'ws')}/live`, { headers })
  const [error] = await once(open({}), 'error').catch((cause: unknown) => [cause])
  expect(String(error)).toContain('403')
  // Traefik names the scheme of a WebSocket wss.
  for (const proto of ['https', 'wss']) {
    const [code] = await once(open({ ...byHttps, 'x-forwarded-proto': proto }), 'close')
    expect(code, proto).toBe(1000)
  }
  const [plain] = await once(open({ ...byHttps, 'x-forwarded-proto': 'ws' }), 'error')
  expect(String(plain)).toContain('403')
})
