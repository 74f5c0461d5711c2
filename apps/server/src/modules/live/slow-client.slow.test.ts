import { once } from 'node:events'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { HOUR_MS } from '@isotherm/kernel/durations'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import type { SessionAccess } from '../session/index.ts'
import { createTestDirectory } from '../telemetry/messages/sample-directory.testkit.ts'
import { createLive } from './index.ts'

const MEGABYTE = 1024 * 1024
/** The valves of two concentrators: one row for each is some megabytes. */
const directory = createTestDirectory(10_000)
const valves = directory.all.filter(({ kind }) => kind === 'valve').map(({ id }) => id)

/** Access of every session during the test. */
const granted: SessionAccess = {
  permissions: new Set(['pe-fmreal']),
  scope: scopeOfEverything,
  endsAt: Date.now() + HOUR_MS,
}

let version = 1
let openingPct = 0
const app = Fastify()
const live = createLive({
  clock: systemClock,
  log: createLog({ logLevel: 'silent' }),
  mode: 'demo',
  registry: new Registry(),
  directory,
  session: {
    authenticate: async () => ({
      accountId: 1,
      account: 'li',
      companyId: undefined,
      sessionId: 1,
      tokenHash: Buffer.alloc(0),
      ...granted,
      expiresAt: granted.endsAt,
    }),
    findAccess: async (sessions) => new Map(sessions.map((id) => [id, granted])),
    onEnded: () => () => undefined,
  },
  network: {
    resolveNodes: async () => ['/'],
    findParts: async (_scope, keys) => new Map(keys.map((key) => [key, ['/']])),
    findKeys: async () => [],
    showsCompany: async () => true,
  },
  signals: { listen: () => () => undefined },
  states: {
    version: () => version,
    find: (deviceId) => ({
      deviceId,
      ts: version,
      quality: 0,
      metrics: { 'valve.opening': openingPct },
    }),
    versionOf: () => version,
  },
  timeFactor: () => undefined,
})

let address = ''
beforeAll(async () => {
  await live.mount(app)
  address = (await app.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws')
})
afterAll(async () => {
  live.close()
  await app.close()
})

/** A client that watches all valves, and the bytes that the server buffers for it. */
async function connect() {
  const socket = new WebSocket(`${address}/live`)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  const closed = once(socket, 'close').then(([code]) => Number(code))
  await once(socket, 'open')
  const [served] = [...app.websocketServer.clients].slice(-1)
  if (!served) throw new Error('the server has no client')
  socket.send(JSON.stringify({ type: 'hello', token: 't' }))
  socket.send(JSON.stringify({ type: 'subscribe', sub: 'a', nodes: [], kinds: ['valve'] }))
  const rows = () => events.flatMap((event) => (event.type === 'states' ? event.rows : []))
  await expect.poll(() => rows().length).toBe(valves.length)
  return { socket, events, rows, closed, bufferedBytes: () => served.bufferedAmount }
}

/** Changes all valves, like a company that reports at once; resolves when the change is due to be sent. */
async function change(): Promise<void> {
  version += 1
  openingPct = version % 100
  live.pushChanged(valves)
  await new Promise((resolve) => setTimeout(resolve, 110))
}

test('for a client that reads nothing only some megabytes are buffered, and then it gets the newest values', async () => {
  const { socket, events, rows, bufferedBytes } = await connect()
  socket.pause()
  const before = bufferedBytes()
  let most = 0
  // Data in the buffers of the operating system does not count as memory of the server.
  for (let changes = 0; changes < 40; changes += 1) {
    await change()
    most = Math.max(most, bufferedBytes())
  }
  expect(before).toBe(0)
  expect(most).toBeGreaterThan(MEGABYTE)
  expect(most).toBeLessThan(6 * MEGABYTE)
  const changesOf = new Map<number, number>()
  socket.resume()
  const newest = () => {
    changesOf.clear()
    for (const { deviceId, metrics } of rows()) changesOf.set(deviceId, metrics['valve.opening'] ?? -1)
    return [...changesOf.values()].filter((pct) => pct === openingPct).length
  }
  await expect.poll(newest).toBe(valves.length)
  // Intermediate updates were skipped: there are fewer updates than changes.
  expect(rows().length / valves.length).toBeLessThan(30)
  expect(events.at(-1)).toMatchObject({ type: 'states', cursor: { version } })
  expect(bufferedBytes()).toBe(0)
  socket.terminate()
}, 60_000)

test('a client that reads nothing is disconnected before events fill the memory', async () => {
  const { socket, closed, bufferedBytes } = await connect()
  socket.pause()
  const progress = { progressId: 'x'.repeat(40), rows: 1, state: 'running' as const }
  let most = 0
  // Some 30 MB of events that cannot be merged.
  for (let sent = 0; sent < 300_000; sent += 1) {
    live.pushExport(1, progress)
    if (sent % 10_000 === 0) await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, bufferedBytes())
  }
  expect(most).toBeLessThan(17 * MEGABYTE)
  socket.resume()
  expect(await closed).toBe(1009)
}, 60_000)
