import { once } from 'node:events'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { connectGateway } from '../../testing/connect-gateway.testkit.ts'
import { createRegistry } from '../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'
import { importRegistry } from '../devices/import/import-registry.testkit.ts'
import { MAX_PER_ACCOUNT } from './connections/connection.ts'

let server: TestServer
const sockets: WebSocket[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})
afterAll(() => server.stop())

async function open(token: string) {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/live`)
  sockets.push(socket)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  const send = (request: unknown) => socket.send(JSON.stringify(request))
  send({ type: 'hello', token })
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return { socket, events, send }
}

async function connect(account: string) {
  const { 'ht-api': token } = await server.logIn(account)
  return open(token)
}

const typesOf = (events: readonly LiveEvent[]) => events.map(({ type }) => type)

/** A concentrator reports an opening of a valve behind it; resolves after it is stored. */
async function report(concentrator: string, valve: string): Promise<void> {
  const node = await connectGateway(server, concentrator)
  const ts = Date.now()
  const d = [{ id: valve, ts, m: { 'valve.opening': 40 } }]
  await node.send('telemetry', { v: 1, boot: 1, seq: 0, ts, d })
  await node.leave()
}

const setGrant = async (account: string, key: string) => {
  const node = await server.nodeId(key)
  await sql`update account_node set node_id = ${node}
    where account_id = (select id from account where account = ${account})`.execute(server.db)
}

/**
 * Breaks the connection for signals; resolves after it is back and listeners were notified that any change may have
 * been missed.
 */
async function breakSignals(): Promise<void> {
  const back = Promise.withResolvers<void>()
  const stop = server.signals.listen('structure_changed', (payload) => {
    if (payload === undefined) back.resolve()
  })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`.execute(server.db)
  await back.promise
  stop()
}

test('a session that ended while signals were lost is noticed when they are back', async () => {
  await server.createAccount('lost', ['pe-fmreal'], ['p'])
  const { events, socket } = await connect('lost')
  await sql`update session set ended_at = now()
    where account_id = (select id from account where account = 'lost')`.execute(server.db)
  await breakSignals()
  await expect.poll(() => typesOf(events)).toContain('expired')
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED)
})

test('a user who loses a grant gets no more events of its devices, and learns which subscription ended', async () => {
  await server.createAccount('moved', ['pe-fmreal'], ['s1'])
  const { events, send } = await connect('moved')
  const [s1, p] = [await server.nodeKey('s1'), await server.nodeKey('p')]
  send({ type: 'subscribe', sub: 'station', nodes: [s1], kinds: ['valve'] })
  send({ type: 'subscribe', sub: 'all', nodes: [p], kinds: ['valve'] })
  await expect.poll(() => typesOf(events)).toEqual(['welcome', 'states', 'states'])
  await setGrant('moved', 's2')
  await breakSignals()
  await expect.poll(() => events).toContainEqual({ type: 'refused', sub: 'station', code: 'node.not-found' })
  // The other subscription restarts with the remaining grants.
  await expect
    .poll(() => events.filter((event) => event.type === 'states' && event.sub === 'all').length)
    .toBe(2)
})

test('a user who loses the permission has no subscription left', async () => {
  await server.createAccount('demoted', ['pe-fmreal'], ['p'])
  const { events, send } = await connect('demoted')
  send({ type: 'subscribe', sub: 'a', nodes: [], kinds: ['valve'] })
  await expect.poll(() => typesOf(events)).toEqual(['welcome', 'states'])
  await sql`delete from account_role
    where account_id = (select id from account where account = 'demoted')`.execute(server.db)
  await breakSignals()
  await expect.poll(() => events).toContainEqual({ type: 'refused', sub: 'a', code: 'access.denied' })
})

test('structure changes by others are pushed to each user within the scope of that user', async () => {
  await server.createAccount('whole', ['pe-fmreal'], ['p'])
  await server.createAccount('second', ['pe-fmreal'], ['s2'])
  await server.createAccount('below', ['pe-fmreal'], ['b2'])
  const [whole, second, below] = [await connect('whole'), await connect('second'), await connect('below')]
  const renamed = createRegistry()
  await importRegistry(server.db, {
    ...renamed,
    nodes: renamed.nodes.map((node) => (node.key === 'b10' ? { ...node, name: '十一号楼' } : node)),
  })
  const parent = { type: 'structure', parents: [await server.nodeKey('a1')] }
  await expect.poll(() => whole.events).toContainEqual(parent)
  // Its own building did not change, but the area above it did.
  await expect.poll(() => below.events).toContainEqual(parent)
  second.send({ type: 'ping' })
  await expect.poll(() => second.events.at(-1)?.type).toBe('pong')
  expect(typesOf(second.events)).toEqual(['welcome', 'pong'])
})

test('the newest values of a device that moves into a watched subtree are sent immediately', async () => {
  await server.createAccount('watching', ['pe-fmreal'], ['p'])
  const { events, send } = await connect('watching')
  const deviceId = await server.deviceId('V-b2u1')
  await report('C-b2', 'V-b2u1')
  send({ type: 'subscribe', sub: 'west', nodes: [await server.nodeKey('a2')], kinds: ['valve'] })
  await expect.poll(() => typesOf(events)).toContain('states')
  const moved = createRegistry()
  await importRegistry(server.db, {
    ...moved,
    devices: moved.devices.map((device) =>
      device.serial === 'V-b2u1' ? { ...device, node: 'b3u1' } : device,
    ),
  })
  const rows = () => events.flatMap((event) => (event.type === 'states' ? event.rows : []))
  await expect.poll(rows).toEqual([expect.objectContaining({ deviceId })])
})

test('a device that moves out of a watched subtree is removed from it', async () => {
  await server.createAccount('missing', ['pe-fmreal'], ['p'])
  const { events, send } = await connect('missing')
  const deviceId = await server.deviceId('V-b10u1')
  await importRegistry(server.db, createRegistry())
  await report('C-b10', 'V-b10u1')
  send({ type: 'subscribe', sub: 'east', nodes: [await server.nodeKey('a1')], kinds: ['valve'] })
  await expect.poll(() => events.at(-1)).toMatchObject({ type: 'states', full: true })
  const fulls = () => events.flatMap((event) => (event.type === 'states' && event.full ? [event.rows] : []))
  await expect.poll(() => fulls().at(-1)).toContainEqual(expect.objectContaining({ deviceId }))
  const moved = createRegistry()
  await importRegistry(server.db, {
    ...moved,
    devices: moved.devices.map((device) =>
      device.serial === 'V-b10u1' ? { ...device, node: 'b3u1' } : device,
    ),
  })
  // The import before may also restart the subscription, with the device in it.
  await expect.poll(() => fulls().at(-1)).not.toContainEqual(expect.objectContaining({ deviceId }))
})

test('a user who is granted a single valve of a batch gets the progress of that valve', async () => {
  const accountId = await server.createAccount('single', ['pe-fmreal'], [])
  await server.createAccount('giving', ['pe-fmcontrol'], ['p'])
  const [own, other] = [await server.deviceId('V-b2u2'), await server.deviceId('V-b3u1')]
  await sql`insert into account_device (account_id, device_id) values (${accountId}, ${own})`.execute(
    server.db,
  )
  const [single, whole] = [await connect('single'), await connect('giving')]
  const { 'ht-api': token } = await server.logIn('giving')
  const targets = [own, other].map((deviceId) => ({ deviceId, openingPct: 40 }))
  const { code } = await server.call(endpoints.publishMqCtlCmd, { targets, reason: 'test' }, token)
  expect(code).toBeUndefined()
  const sent = (events: readonly LiveEvent[]) =>
    events.flatMap((event) => (event.type === 'batch' ? [event.total] : []))
  await expect.poll(() => sent(whole.events)).toContain(2)
  await expect.poll(() => sent(single.events)).toContain(1)
  expect(new Set(sent(single.events))).toEqual(new Set([1]))
  // Nobody watches a valve here, so there are no events for single commands.
  expect(typesOf([...single.events, ...whole.events])).not.toContain('command')
})

test('a change in another company reaches nobody in this one', async () => {
  await server.createAccount('loyal', ['pe-fmreal'], ['p'])
  const { events, send } = await connect('loyal')
  await server.createAccount('provider', ['pe-fmreal'], [])
  await sql`
    update account set sees_all = true, kind = 'provider', company_id = null where account = 'provider'`.execute(
    server.db,
  )
  const { events: seen } = await connect('provider')
  await importRegistry(server.db, createRegistry('other'))
  await expect.poll(() => typesOf(seen)).toContain('structure')
  send({ type: 'ping' })
  await expect.poll(() => events.at(-1)?.type).toBe('pong')
  expect(typesOf(events)).toEqual(['welcome', 'pong'])
})

test('an account can watch in 20 windows; one more is refused until another is closed', async () => {
  await server.createAccount('busy', ['pe-fmreal'], ['p'])
  const { 'ht-api': token } = await server.logIn('busy')
  const opened = await Promise.all(Array.from({ length: MAX_PER_ACCOUNT }, () => open(token)))
  expect(opened.every(({ events }) => events[0]?.type === 'welcome')).toBe(true)
  const more = await open(token)
  expect(more.events).toEqual([{ type: 'refused', code: 'live.too-many' }])
  await expect.poll(() => more.socket.readyState).toBe(WebSocket.CLOSED)
  // Another account has its own limit, and a second hello does not count as another window.
  expect((await connect('loyal')).events[0]?.type).toBe('welcome')
  opened[1]?.send({ type: 'hello', token })
  await expect.poll(() => typesOf(opened[1]?.events ?? [])).toEqual(['welcome', 'welcome'])
  opened[0]?.socket.terminate()
  await expect.poll(async () => (await open(token)).events[0]?.type, { interval: 100 }).toBe('welcome')
})
