import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startLink } from '../../faults/link.testkit.ts'
import { createTestClock, createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { createLog } from '../log.ts'
import { createSignals } from './signals.pg.ts'
import type { Signals } from './signals.ts'

/** A proxy before the database that closes connections at once while its database is gone. */
async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let [isGone, attempts] = [false, 0]
  const server: Server = createServer((socket) => {
    attempts += 1
    if (isGone) {
      socket.destroy()
      return
    }
    const onward = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  // net.Server.address is an AddressInfo for a TCP server.
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    lose() {
      isGone = true
      for (const socket of sockets) socket.destroy()
    },
    return() {
      isGone = false
    },
    countAttempts: () => attempts,
    close: () => server.close(),
  }
}

const clock = createTestClock()
let core: TestCore
let proxy: Awaited<ReturnType<typeof openProxy>>
let signals: Signals

beforeEach(async () => {
  core = await createTestCore()
  proxy = await openProxy(core.config.databaseUrl)
  signals = await createSignals({ databaseUrl: proxy.url }, core.db, clock, createLog({ logLevel: 'silent' }))
})
afterEach(async () => {
  await signals.close()
  proxy.close()
  await core.close()
})

test('behind a proxy without a database there is one attempt to connect per second', async () => {
  const payloads: (string | undefined)[] = []
  signals.listen('alarm_changed', (payload) => payloads.push(payload))
  const before = proxy.countAttempts()
  proxy.lose()
  for (let seconds = 1; seconds <= 6; seconds += 1) {
    await expect
      .poll(() => {
        clock.advance(1_000)
        return proxy.countAttempts() - before
      })
      .toBeGreaterThanOrEqual(seconds)
    expect(proxy.countAttempts() - before).toBe(seconds)
  }
  proxy.return()
  // A listener may have missed something meanwhile.
  await expect
    .poll(() => {
      clock.advance(1_000)
      return payloads
    })
    .toEqual([undefined])
  await signals.send('alarm_changed', 'after')
  await expect.poll(() => payloads).toEqual([undefined, 'after'])
})

test('a connection that nobody answers any more is replaced within half a minute', async () => {
  const link = await startLink(Number(new URL(core.config.databaseUrl).port))
  const databaseUrl = link.lead(core.config.databaseUrl)
  const far = await createSignals({ databaseUrl }, core.db, clock, createLog({ logLevel: 'silent' }))
  const payloads: (string | undefined)[] = []
  far.listen('alarm_changed', (payload) => payloads.push(payload))
  try {
    // Answered questions change nothing.
    for (let each = 0; each < 4; each += 1) {
      clock.advance(15_000)
      await far.send('alarm_changed', `${each}`)
      await expect.poll(() => payloads.splice(0)).toEqual([`${each}`])
    }
    link.vanish()
    await far.send('alarm_changed', 'lost')
    clock.advance(15_000)
    clock.advance(5_000)
    await expect
      .poll(() => {
        clock.advance(1_000)
        return payloads
      })
      .toEqual([undefined])
    await far.send('alarm_changed', 'after')
    await expect.poll(() => payloads).toEqual([undefined, 'after'])
  } finally {
    await far.close()
    await link.close()
  }
})
