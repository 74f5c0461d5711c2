import { once } from 'node:events'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { AppError } from '../../platform/app-error.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Caller } from '../../platform/http/call.ts'
import { createLog } from '../../platform/log.ts'
import { narrow } from '../../platform/scope/scope.ts'
import { createTestDirectory } from '../telemetry/messages/sample-directory.testkit.ts'
import { MAX_SILENT_PER_NETWORK } from './connections/route.ts'
import { createLive } from './index.ts'

const directory = createTestDirectory()
const log = createLog({ logLevel: 'silent' })
const app = Fastify()
const endedListeners = new Set<(sessionId: number | undefined) => void>()
let version = 1
const values = new Map(
  directory.all.map(({ id }) => [id, { deviceId: id, ts: 1, quality: 0, metrics: {}, version: 1 }]),
)

const accountIds = { c1: 1, c2: 2, clerk: 3, rooms: 4 }

/**
 * Tokens: `c1` and `c2` are granted the subtree of one concentrator each; `clerk` is granted everything but has no
 * permission; `rooms` may see the rooms of the first one.
 */
function toCaller(token: string): Caller {
  const path = { c1: '/1/1/', c2: '/1/2/', clerk: '/', rooms: '/1/1/' }[token]
  if (path === undefined) throw new AppError('session.expired')
  return {
    accountId: accountIds[token === 'c1' || token === 'c2' || token === 'rooms' ? token : 'clerk'],
    account: token,
    companyId: undefined,
    sessionId: path.length + token.charCodeAt(1),
    tokenHash: Buffer.alloc(0),
    expiresAt: Date.now() + HOUR_MS,
    permissions: new Set(
      token === 'clerk' ? ['prtjc'] : token === 'rooms' ? ['pr-rtreal'] : ['pe-fmreal', 'pr-rtalarm'],
    ),
    scope: { kind: 'paths', paths: [path] },
  }
}

const live = createLive({
  clock: systemClock,
  log,
  mode: 'demo',
  registry: new Registry(),
  directory,
  session: {
    authenticate: async (_backend, token) => toCaller(token),
    findAccess: async () => new Map(),
    onEnded(ended) {
      endedListeners.add(ended)
      return () => endedListeners.delete(ended)
    },
  },
  network: {
    async resolveNodes(scope, keys) {
      if (keys.length === 0) return narrow(scope, '/')
      const paths = keys.flatMap((key) => narrow(scope, `/1/${key}/`))
      if (paths.length === 0) throw new AppError('node.not-found')
      return paths
    },
    findParts: async (scope, keys) => new Map(keys.map((key) => [key, narrow(scope, `/1/${key}/`)])),
    findKeys: async () => [],
    showsCompany: async () => true,
  },
  signals: { listen: () => () => undefined },
  states: {
    version: () => version,
    find: (id) => values.get(id),
    versionOf: (id) => values.get(id)?.version ?? 0,
  },
  timeFactor: () => 60,
})

let address = ''
beforeAll(async () => {
  await live.mount(app)
  address = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  live.close()
  await app.close()
})

async function connect(token?: string) {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/live`)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  const send = (request: unknown) =>
    socket.send(typeof request === 'string' ? request : JSON.stringify(request))
  if (token) {
    send({ type: 'hello', token })
    await expect.poll(() => events.at(-1)?.type).toMatch(/welcome|expired/)
  }
  return { socket, events, send }
}

const subscribe = { type: 'subscribe', sub: 'a', nodes: [], kinds: ['valve'] }
const rowsOf = (events: readonly LiveEvent[]) =>
  events.flatMap((event) => (event.type === 'states' ? event.rows.map(({ deviceId }) => deviceId) : []))

test('a caller sees the devices of the granted subtree and no others', async () => {
  const { events, send, socket } = await connect('c1')
  send(subscribe)
  await expect.poll(() => rowsOf(events)).toEqual([2, 3, 4])
  socket.terminate()
})

test('a node outside the grant is refused with the name of the subscription', async () => {
  const { events, send, socket } = await connect('c1')
  send({ ...subscribe, sub: 'foreign', nodes: ['2'] })
  await expect.poll(() => events).toContainEqual({ type: 'refused', sub: 'foreign', code: 'node.not-found' })
  socket.terminate()
})

test('a change is pushed, a change outside the grant is not', async () => {
  const { events, send, socket } = await connect('c1')
  send(subscribe)
  await expect.poll(() => rowsOf(events)).toHaveLength(3)
  version += 1
  for (const id of [2, 6]) values.set(id, { deviceId: id, ts: version, quality: 0, metrics: {}, version })
  live.pushChanged([2, 6])
  await expect.poll(() => rowsOf(events)).toEqual([2, 3, 4, 2])
  socket.terminate()
})

test('a second hello ends the subscriptions of the first', async () => {
  const { events, send, socket } = await connect('c2')
  send(subscribe)
  await expect.poll(() => rowsOf(events)).toHaveLength(3)
  send({ type: 'hello', token: 'c1' })
  await expect.poll(() => events.at(-1)?.type).toBe('welcome')
  const before = events.length
  version += 1
  values.set(6, { deviceId: 6, ts: version, quality: 0, metrics: {}, version })
  live.pushChanged([6])
  send({ ...subscribe, sub: 'b' })
  await expect.poll(() => rowsOf(events.slice(before))).toEqual([2, 3, 4])
  live.pushChanged([6, 2])
  version += 1
  values.set(2, { deviceId: 2, ts: version, quality: 0, metrics: {}, version })
  live.pushChanged([6, 2])
  await expect.poll(() => rowsOf(events.slice(before)).length).toBeGreaterThan(3)
  expect(rowsOf(events.slice(before))).not.toContain(6)
  socket.terminate()
})

const command = {
  id: 'x',
  batchId: 'b',
  deviceId: 2,
  kind: 'valve.set' as const,
  deviceName: 'v',
  nestaddr: '',
  openingPct: 60,
  state: 'sent' as const,
  resultCode: 0,
  actor: 'a',
  reason: '',
  createdAt: 1,
  updatedAt: 1,
  expiresAt: 2,
  reached: {},
  priority: 'manual' as const,
}

test('a command reaches clients that watch its device', async () => {
  const [near, far] = await Promise.all([connect('c1'), connect('c2')])
  near.send(subscribe)
  far.send(subscribe)
  await expect.poll(() => rowsOf(far.events)).toHaveLength(3)
  await expect.poll(() => rowsOf(near.events)).toHaveLength(3)
  live.pushCommand(command, '/1/1/11/')
  await expect.poll(() => near.events).toContainEqual({ type: 'command', command })
  far.send({ type: 'ping' })
  await expect.poll(() => far.events.at(-1)?.type).toBe('pong')
  expect(far.events.some(({ type }) => type === 'command')).toBe(false)
  near.socket.terminate()
  far.socket.terminate()
})

const progress = { state: 'running' as const, total: 2, counts: { sent: 1, done: 1 } }
/** A change of the first valve of each concentrator. */
const [ofFirst, ofSecond] = [
  { deviceId: 2, state: 'sent' },
  { deviceId: 6, state: 'done' },
] as const
const batchEvents = (events: readonly LiveEvent[]) => events.filter(({ type }) => type === 'batch')

test('the progress of a batch reaches users who see all of its place, whatever they watch, and no others', async () => {
  const [near, far, clerk] = await Promise.all([connect('c1'), connect('c2'), connect('clerk')])
  const listParts = async () => [ofFirst]
  live.pushBatch({ progress: { id: 'near', ...progress }, path: '/1/1/11/', listParts })
  live.pushBatch({ progress: { id: 'far', ...progress }, path: '/1/2/', listParts: async () => [ofSecond] })
  const toEvent = (id: string) => ({ type: 'batch', id, ...progress })
  await expect.poll(() => batchEvents(near.events)).toEqual([toEvent('near')])
  await expect.poll(() => batchEvents(far.events)).toEqual([toEvent('far')])
  clerk.send({ type: 'ping' })
  await expect.poll(() => clerk.events.at(-1)?.type).toBe('pong')
  expect(batchEvents(clerk.events)).toEqual([])
  for (const { socket } of [near, far, clerk]) socket.terminate()
})

test('a user who sees a part of a batch gets the progress of that part, and one who sees none gets nothing', async () => {
  const [first, second, clerk] = await Promise.all([connect('c1'), connect('c2'), connect('clerk')])
  const batch = { progress: { id: 'wide', ...progress }, path: '/1/' }
  live.pushBatch({ ...batch, listParts: async () => [ofFirst, ofSecond] })
  const toEvent = (counts: object) => ({ type: 'batch', id: 'wide', state: 'running', total: 1, counts })
  await expect.poll(() => batchEvents(first.events)).toEqual([toEvent({ sent: 1 })])
  await expect.poll(() => batchEvents(second.events)).toEqual([toEvent({ done: 1 })])
  live.pushBatch({ ...batch, listParts: async () => [ofSecond] })
  await expect.poll(() => batchEvents(second.events)).toHaveLength(2)
  for (const { send, events } of [first, clerk]) {
    send({ type: 'ping' })
    await expect.poll(() => events.at(-1)?.type).toBe('pong')
  }
  expect([batchEvents(first.events).length, batchEvents(clerk.events).length]).toEqual([1, 0])
  for (const { socket } of [first, second, clerk]) socket.terminate()
})

test('a change of alarm rules reaches users who may see alarms', async () => {
  const [first, clerk] = await Promise.all([connect('c1'), connect('clerk')])
  live.pushRules()
  const sent = (events: readonly LiveEvent[]) => events.filter(({ type }) => type === 'alarm-rules')
  await expect.poll(() => sent(first.events)).toHaveLength(1)
  clerk.send({ type: 'ping' })
  await expect.poll(() => clerk.events.at(-1)?.type).toBe('pong')
  expect(sent(clerk.events)).toEqual([])
  for (const { socket } of [first, clerk]) socket.terminate()
})

test('a silence reaches users who see its node or a part below it', async () => {
  const [first, second, clerk] = await Promise.all([connect('c1'), connect('c2'), connect('clerk')])
  live.pushSilence('/1/')
  live.pushSilence('/1/1/11/')
  const sent = (events: readonly LiveEvent[]) => events.filter(({ type }) => type === 'silences')
  await expect.poll(() => sent(first.events)).toHaveLength(2)
  for (const { send, events } of [first, second, clerk]) {
    send({ type: 'ping' })
    await expect.poll(() => events.at(-1)?.type).toBe('pong')
  }
  expect([first, second, clerk].map(({ events }) => sent(events).length)).toEqual([2, 1, 0])
  for (const { socket } of [first, second, clerk]) socket.terminate()
})

const hold = {
  id: 1,
  deviceId: 2,
  deviceName: 'v',
  nestaddr: '',
  priority: 'manual' as const,
  openingPct: 40,
  actor: 'a',
  reason: '',
  since: 1,
  until: 2,
}

test('who may see only rooms gets neither commands nor holds of the valves beside them', async () => {
  const [watcher, rooms] = await Promise.all([connect('c1'), connect('rooms')])
  watcher.send(subscribe)
  rooms.send({ ...subscribe, kinds: ['room-sensor'] })
  for (const { events } of [watcher, rooms])
    await expect.poll(() => events.some(({ type }) => type === 'states')).toBe(true)
  live.pushCommand(command, '/1/1/11/d2/')
  live.pushHold({ hold, ended: undefined, by: undefined }, { accountId: undefined, path: '/1/1/11/d2/' })
  const ofValves = (events: readonly LiveEvent[]) =>
    events.map(({ type }) => type).filter((type) => type === 'command' || type === 'hold')
  for (const { events, send } of [watcher, rooms]) {
    send({ type: 'ping' })
    await expect.poll(() => events.at(-1)?.type).toBe('pong')
  }
  expect([watcher, rooms].map(({ events }) => ofValves(events))).toEqual([['command', 'hold'], []])
  for (const { socket } of [watcher, rooms]) socket.terminate()
})

test('the owner of a hold learns who ended it, as long as the valve is granted', async () => {
  const holder = await connect('c1')
  const event = { hold, ended: 'outranked' as const, by: 'z' }
  live.pushHold(event, { accountId: accountIds.c1, path: '/1/2/21/d9/' })
  live.pushHold(event, { accountId: accountIds.c1, path: '/1/1/11/d2/' })
  const sent = () => holder.events.filter(({ type }) => type === 'hold')
  await expect.poll(sent).toEqual([{ type: 'hold', ...event }])
  holder.send({ type: 'ping' })
  await expect.poll(() => holder.events.at(-1)?.type).toBe('pong')
  expect(sent()).toHaveLength(1)
  holder.socket.terminate()
})

test('a user without the permission is refused', async () => {
  const { events, send, socket } = await connect('clerk')
  send(subscribe)
  await expect.poll(() => events).toContainEqual({ type: 'refused', sub: 'a', code: 'access.denied' })
  socket.terminate()
})

test('a subscription without hello is refused', async () => {
  const { events, send, socket } = await connect()
  send(subscribe)
  await expect.poll(() => events).toContainEqual({ type: 'refused', sub: 'a', code: 'session.missing' })
  socket.terminate()
})

test('an invalid token ends the connection', async () => {
  const { socket, events } = await connect('made-up')
  expect(events).toEqual([{ type: 'expired' }])
  if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
})

test('the end of a session ends its connections, and no others', async () => {
  const [ending, staying] = await Promise.all([connect('c1'), connect('c2')])
  for (const ended of endedListeners) ended(toCaller('c1').sessionId)
  await once(ending.socket, 'close')
  expect(ending.events.at(-1)).toEqual({ type: 'expired' })
  expect(staying.socket.readyState).toBe(WebSocket.OPEN)
  staying.socket.terminate()
})

test('a page of another site cannot connect', async () => {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/live`, {
    origin: 'http://elsewhere.example',
  })
  const [error] = await once(socket, 'error').catch((cause: unknown) => [cause])
  expect(String(error)).toContain('403')
})

test('silent sockets of one network do not take the places of others, and free their own', async () => {
  const silent = await Promise.all(Array.from({ length: MAX_SILENT_PER_NETWORK }, () => connect()))
  await expect(connect()).rejects.toThrow('503')
  // Signed in, a connection is no longer silent.
  const [first] = silent
  first?.send({ type: 'hello', token: 'c1' })
  await expect.poll(() => first?.events.at(-1)?.type).toBe('welcome')
  const next = await connect('c2')
  for (const { socket } of [...silent, next]) socket.terminate()
  await expect
    .poll(async () => {
      const { socket } = await connect('c1')
      socket.terminate()
      return socket.readyState
    })
    .not.toBe(WebSocket.CONNECTING)
})

test('garbage is refused and has no effect on others', { timeout: 60_000 }, async () => {
  const observer = await connect('c1')
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.object().map((value) => JSON.stringify(value)),
      ),
      async (text) => {
        const { events, send, socket } = await connect('c2')
        send(text)
        send({ type: 'ping' })
        await expect.poll(() => events.at(-1)?.type, { interval: 5 }).toBe('pong')
        expect(events).toContainEqual({ type: 'refused', code: 'request.malformed' })
        socket.terminate()
      },
    ),
    { numRuns: 100 },
  )
  const flood = await connect()
  const binary = await connect()
  const huge = await connect()
  for (let i = 0; i < 5_000; i++) flood.socket.send('{')
  binary.socket.send(Buffer.from([0xff, 0xfe, 0x00]))
  huge.socket.send('x'.repeat(1024 * 1024))
  await Promise.all([once(flood.socket, 'close'), once(huge.socket, 'close')])
  await expect.poll(() => binary.events).toContainEqual({ type: 'refused', code: 'request.malformed' })
  binary.socket.terminate()
  observer.send({ type: 'ping' })
  await expect.poll(() => observer.events.at(-1)?.type).toBe('pong')
  observer.socket.terminate()
})
