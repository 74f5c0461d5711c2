import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createLimitedConnections } from './limited-connections.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(max: number) {
  const accepted: Socket[] = []
  const connections = createLimitedConnections({ max, timeMs: 60_000, onTimeout: () => undefined })
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    accepted.push(socket)
    connections.add(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => new Promise((resolve) => server.close(resolve)), connections.close)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    connections,
    async connectFrom(localAddress: string) {
      const count = accepted.length
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined)
      closers.push(() => socket.destroy())
      await expect.poll(() => accepted.length).toBe(count + 1)
      return { socket, closed: once(socket, 'close') }
    },
  }
}

test('beyond the limit the oldest connection of the address with most of them is closed', async () => {
  const { connections, connectFrom } = await start(3)
  const unit = await connectFrom('127.0.0.2')
  const oldest = await connectFrom('127.0.0.3')
  await connectFrom('127.0.0.3')
  await connectFrom('127.0.0.3')
  await oldest.closed
  expect(unit.socket.destroyed).toBe(false)
  expect(connections.size).toBe(3)
})

test('one that is taken out makes room', async () => {
  const { connections, connectFrom } = await start(1)
  const first = await connectFrom('127.0.0.2')
  first.socket.destroy()
  await expect.poll(() => connections.size).toBe(0)
  const second = await connectFrom('127.0.0.3')
  expect(second.socket.destroyed).toBe(false)
  expect(connections.size).toBe(1)
})
