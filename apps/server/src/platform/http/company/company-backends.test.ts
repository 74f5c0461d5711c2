import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { createTestApp } from '../app.testkit.ts'

let backend: Server
let pushed: WebSocketServer
let app: FastifyInstance
let address: string
let backendPort: number
/** Paths of the calls that the company's backend got. */
const paths: string[] = []
/** Headers that its last call and its last live connection had. */
const last: Record<'call' | 'live', IncomingHttpHeaders> = { call: {}, live: {} }

beforeAll(async () => {
  backend = createServer((request, response) => {
    paths.push(request.url ?? '')
    last.call = request.headers
    response.setHeader('content-type', 'application/json').end('{}')
  })
  pushed = new WebSocketServer({ server: backend, path: '/live' })
  pushed.on('connection', (socket, { headers }) => {
    last.live = headers
    socket.send('welcome')
  })
  backend.listen(0, '127.0.0.1')
  await once(backend, 'listening')
  backendPort = (backend.address() as AddressInfo).port
  app = await createTestApp({ companyBackends: { 'ht-api': `http://127.0.0.1:${backendPort}/erp/heat` } })
  address = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  pushed.close()
  backend.closeAllConnections()
  backend.close()
})

const openLive = (headers: Record<string, string>) =>
  new WebSocket(`${address.replace('http', 'ws')}/live`, { headers })

test('a page of another site opens no live connection to the company’s backend', async () => {
  const [error] = await once(openLive({ origin: 'https://elsewhere.example' }), 'error').catch((cause) => [
    cause,
  ])
  expect(String(error)).toContain('403')
  expect(pushed.clients.size).toBe(0)
  for (const headers of [{ origin: address }, {}]) {
    const socket = openLive(headers)
    const [first] = await once(socket, 'message')
    expect(String(first)).toBe('welcome')
    socket.terminate()
  }
})

test('no spelling of a path leaves the base address of the company’s backend', async () => {
  const { port } = new URL(address)
  const ask = async (path: string): Promise<number> => {
    const asking = request({ host: '127.0.0.1', port, path }).end()
    const [response] = await once(asking, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await ask('/ht-api/api/User/GetSessions')).toBe(200)
  for (const way of [
    '../admin',
    '..%2fadmin',
    '%2e%2e/admin',
    '.%2e/%2e./admin',
    '..\\admin',
    '%2e%2e%5cadmin',
    '/admin',
  ])
    await ask(`/ht-api/api/${way}`)
  for (const path of paths) expect(new URL(path, 'http://backend').pathname).toMatch(/^\/erp\/heat\//)
})

test('a client cannot choose the address or the scheme that the company’s backend sees', async () => {
  const chosen = {
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-proto': 'https',
    forwarded: 'for=192.0.2.1;proto=https',
    'x-real-ip': '192.0.2.1',
    'x-forwarded-host': 'elsewhere.example',
    'x-forwarded-port': '8443',
    'x-forwarded-prefix': '/admin',
    'x-forwarded-ssl': 'on',
    'x-forwarded-server': 'elsewhere.example',
  }
  await fetch(`${address}/ht-api/api/User/GetSessions`, { headers: chosen })
  const socket = openLive({ ...chosen, cookie: 'a=b' })
  await once(socket, 'message')
  socket.terminate()
  for (const headers of Object.values(last)) {
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' })
    const others = Object.keys(headers).filter((name) => /forwarded|real-ip/.test(name))
    expect(others.toSorted()).toEqual(['x-forwarded-for', 'x-forwarded-proto'])
  }
  expect(last.live.cookie).toBe('a=b')
})

test('a live connection that came to the proxy by TLS is forwarded as one of https', async () => {
  const behind = await createTestApp({
    companyBackends: { 'ht-api': `http://127.0.0.1:${backendPort}/erp/heat` },
    trustedProxies: ['127.0.0.1'],
  })
  const own = await behind.listen({ host: '127.0.0.1', port: 0 })
  try {
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'wss' }
    const socket = new WebSocket(`${own.replace('http', 'ws')}/live`, { headers })
    await once(socket, 'message')
    socket.terminate()
    expect(last.live).toMatchObject({ 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' })
  } finally {
    await behind.close()
  }
})
