import { once } from 'node:events'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { startLink } from '../../../faults/link.testkit.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { addLiveRoute } from './route.ts'

const PING_MS = 30_000

test('the connection of a browser that silently vanished is freed within a minute; one that answers stays', async () => {
  const app = Fastify()
  const clock = createTestClock()
  const open = new Set<object>()
  await addLiveRoute(app, {
    clock,
    countOpen: () => open.size,
    open() {
      const connection = { accountId: () => 1, receive: () => undefined }
      open.add(connection)
      return connection
    },
    closed: (connection) => open.delete(connection),
  })
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const link = await startLink(port)
  const sockets: WebSocket[] = []
  onTestFinished(async () => {
    for (const socket of sockets) socket.terminate()
    await link.close()
    await app.close()
  })
  /** Resolves with the end of the connection on the server. */
  const connect = async (to: number): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://127.0.0.1:${to}/live`)
    sockets.push(socket)
    await once(socket, 'open')
    const [served] = [...app.websocketServer.clients].slice(-1)
    if (!served) throw new Error('the server has no client')
    return served
  }
  const near = await connect(port)
  await connect(link.port)
  link.vanish()
  for (let pings = 0; pings < 2; pings += 1) {
    expect(open.size).toBe(2)
    const answered = once(near, 'pong')
    clock.advance(PING_MS)
    if (pings === 0) await answered
  }
  await expect.poll(() => open.size).toBe(1)
  expect(near.readyState).toBe(WebSocket.OPEN)
})
