import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { createAuthority } from '@isotherm/engines/broker/certificates.testkit'
import { expect, test } from 'vitest'
import { createTargetCheck } from './target-address.ts'
import { createWebhook, toSignature } from './webhook.ts'

const post = { secret: 'a secret of the tests only', key: 'k', body: '{}', sentAtS: 1_700_000_000 }
const allowing = createTargetCheck({ mayBeLocal: true, services: [] })
const strictly = createTargetCheck({ mayBeLocal: false, services: [] })

test('a name that resolves to this machine is called only if that is allowed', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const strict = createWebhook(strictly)
  await expect(strict({ ...post, url: `http://127.0.0.1:${port}/` })).rejects.toThrow('not allowed')
  await expect(strict({ ...post, url: `http://localhost:${port}/` })).rejects.toThrow('not allowed')
  // The resolved addresses are checked too.
  const unseen = createWebhook({ ...strictly, isForbidden: async () => false })
  await expect(unseen({ ...post, url: `http://localhost:${port}/` })).rejects.toThrow('not allowed')
  expect(calls).toBe(0)
  await createWebhook(allowing)({ ...post, url: `http://localhost:${port}/` })
  expect(calls).toBe(1)
  const beside = createTargetCheck({
    mayBeLocal: true,
    services: [`postgres://me@localhost:${port}/isotherm`],
  })
  const database = createWebhook({ ...beside, isForbidden: async () => false })
  await expect(database({ ...post, url: `http://localhost:${port}/` })).rejects.toThrow('not allowed')
  expect(calls).toBe(1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('only a 2xx status counts as delivered; redirects are not followed, and there is a timeout', async () => {
  const statuses = [302, 500, undefined]
  const server = createServer((_, response) => {
    const status = statuses.shift()
    if (status !== undefined) response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const send = createWebhook(allowing, 300)
  const url = `http://127.0.0.1:${port}/`
  await expect(send({ ...post, url })).rejects.toMatchObject({ fault: 'status 302' })
  await expect(send({ ...post, url })).rejects.toMatchObject({ fault: 'status 500' })
  await expect(send({ ...post, url })).rejects.toMatchObject({ fault: 'timed out' })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a receiver with a certificate of an unknown authority gets nothing', async () => {
  const { cert, key } = createAuthority('unknown authority').issue('localhost')
  let calls = 0
  const server = createTlsServer({ cert, key }, (_, response) => {
    calls += 1
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  await expect(createWebhook(allowing)({ ...post, url })).rejects.toMatchObject({
    fault: 'untrusted certificate',
  })
  expect(calls).toBe(0)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a protocol upgrade or a closed connection counts as failed', async () => {
  const answers = ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', '']
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(answers.shift() ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  const send = createWebhook(allowing, 5_000)
  await expect(send({ ...post, url })).rejects.toMatchObject({ fault: 'no answer' })
  await expect(send({ ...post, url })).rejects.toMatchObject({ fault: 'no answer' })
  await new Promise((resolve) => server.close(resolve))
  await expect(send({ ...post, url })).rejects.toMatchObject({ fault: 'refused' })
  const nowhere = { ...post, url: 'http://nowhere.invalid/' }
  await expect(send(nowhere)).rejects.toMatchObject({ fault: 'unknown name' })
})

test('the signature covers the time and the body, and matches openssl', () => {
  // printf '1700000000.{}' | openssl dgst -sha256 -hmac 'a secret of the tests only'
  expect(toSignature(post.secret, post.sentAtS, post.body)).toBe(
    't=1700000000,v1=7297528c700b41631520890c464aa367f72d77f890b0baa3c57465a9e4b639bf',
  )
})
