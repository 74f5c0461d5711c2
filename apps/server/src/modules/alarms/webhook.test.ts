import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { isForbiddenAddress, isForbiddenHost } from './target-address.ts'
import { createWebhook, lookUpAllowed, toSignature } from './webhook.ts'

const post = { secret: 'a secret of the tests only', key: 'k', body: '{}', sentAtS: 1_700_000_000 }

test('this machine and what only a neighbour answers are forbidden, in whatever clothes', () => {
  const hosts = [
    ...['localhost', 'db.localhost', '127.0.0.1', '127.9.9.9', '0.0.0.0', '[::1]', '[::]', '169.254.169.254'],
    ...['[fe80::1]', '[::ffff:127.0.0.1]', '[::ffff:169.254.169.254]', '224.0.0.1', '255.255.255.255'],
  ]
  expect(hosts.filter((host) => !isForbiddenHost(new URL(`http://${host}/`).hostname))).toEqual([])
  // Numbers that a browser reads as addresses are addresses by the time they are looked at.
  expect(isForbiddenHost(new URL('http://2130706433/').hostname)).toBe(true)
  expect(['10.1.2.3', '192.168.0.9', '172.16.0.1', '8.8.8.8', 'fd00::1'].filter(isForbiddenAddress)).toEqual(
    [],
  )
})

test('a name that leads to this machine is not called, unless that is configured', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const strict = createWebhook({ mayBeLocal: false })
  await expect(strict({ ...post, url: `http://127.0.0.1:${port}/` })).rejects.toThrow('not allowed')
  await expect(strict({ ...post, url: `http://localhost:${port}/` })).rejects.toThrow('not allowed')
  expect(calls).toBe(0)
  await createWebhook({ mayBeLocal: true })({ ...post, url: `http://localhost:${port}/` })
  expect(calls).toBe(1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a name is judged by what it leads to when it is called, not before', async () => {
  const lookUp = (options: { readonly all?: boolean }) =>
    new Promise<string>((resolve) => {
      lookUpAllowed('localhost', options, (error) => resolve(error?.message ?? 'found'))
    })
  expect(await lookUp({ all: true })).toContain('not allowed')
  expect(await lookUp({})).toContain('not allowed')
})

test('only a status of 2xx says that it arrived: a redirection is not followed, and silence has an end', async () => {
  const statuses = [302, 500, undefined]
  const server = createServer((_, response) => {
    const status = statuses.shift()
    if (status !== undefined) response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const send = createWebhook({ mayBeLocal: true, timeoutMs: 300 })
  const url = `http://127.0.0.1:${port}/`
  await expect(send({ ...post, url })).rejects.toThrow('answered 302')
  await expect(send({ ...post, url })).rejects.toThrow('answered 500')
  await expect(send({ ...post, url })).rejects.toThrow()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('who changes to another protocol instead of answering, or hangs up, took nothing in', async () => {
  const answers = ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', '']
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(answers.shift()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  const send = createWebhook({ mayBeLocal: true, timeoutMs: 5_000 })
  await expect(send({ ...post, url })).rejects.toThrow('closed without an answer')
  await expect(send({ ...post, url })).rejects.toThrow()
  await new Promise((resolve) => server.close(resolve))
})

test('a signature is of the instant and the body, as any tool computes it', () => {
  // printf '1700000000.{}' | openssl dgst -sha256 -hmac 'a secret of the tests only'
  expect(toSignature(post.secret, post.sentAtS, post.body)).toBe(
    't=1700000000,v1=7297528c700b41631520890c464aa367f72d77f890b0baa3c57465a9e4b639bf',
  )
})
