import type { LiveEvent, LiveRequest } from '@isotherm/contract/live'
import { expect, test } from 'vitest'
import { createLiveClient, type SocketListener } from './live-client.ts'
import type { LiveNotification } from './live-notifications.ts'

/** A live client with a fake server, clock and screen, which the test controls. */
function createWorld() {
  const sockets: { listener: SocketListener; sent: LiveRequest[]; closed: boolean }[] = []
  const timers = new Map<number, { ms: number; run: () => void }>()
  const frames: (() => void)[] = []
  const garbage: unknown[] = []
  let timerId = 0
  let now = 1_000_000
  let recovered = false
  const client = createLiveClient({
    connect(listener) {
      const socket = { listener, sent: [] as LiveRequest[], closed: false }
      sockets.push(socket)
      return {
        send: (text) => void socket.sent.push(JSON.parse(text)),
        close: () => {
          socket.closed = true
        },
      }
    },
    findToken: () => 'second-token',
    now: () => now,
    random: () => 1,
    after(ms, run) {
      const id = ++timerId
      timers.set(id, { ms, run })
      return () => void timers.delete(id)
    },
    scheduleFrame: (flush) => void frames.push(flush),
    recoverSession: async () => recovered,
    reportGarbage: (detail) => void garbage.push(detail),
  })
  const last = () => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('nothing connected yet')
    return socket
  }
  const send = (event: LiveEvent) => last().listener.received(JSON.stringify(event))
  return {
    client,
    sockets,
    garbage,
    last,
    send,
    welcome: (epoch = 'e1') => {
      last().listener.opened()
      send({ type: 'welcome', epoch, now: now + 500, mode: 'demo', timeFactor: 60 })
    },
    /** Advances the clock to the only pending timer and runs it. Returns its delay, ms. */
    passTime() {
      const [entry] = [...timers]
      if (!entry) throw new Error('nothing waits')
      const [id, { ms, run }] = entry
      timers.delete(id)
      now += ms
      run()
      return ms
    },
    frame: () => {
      for (const flush of frames.splice(0)) flush()
    },
    recover: () => {
      recovered = true
    },
  }
}

const row = (deviceId: number, opening: number) => ({
  deviceId,
  ts: 1_000_000,
  quality: 0,
  metrics: { 'valve.opening': opening },
})
const states = (version: number, full: boolean, rows: ReturnType<typeof row>[], sub = 's1'): LiveEvent => ({
  type: 'states',
  sub,
  cursor: { epoch: 'e1', version },
  full,
  rows,
})
/** A part of an answer that is not the last part. */
const part = (version: number, full: boolean, rows: ReturnType<typeof row>[]): LiveEvent => ({
  type: 'states',
  sub: 's1',
  cursor: { epoch: 'e1', version },
  full,
  more: true,
  rows,
})
const query = { nodes: ['4'], kinds: ['valve' as const] }

test('it first sends hello with the token and subscribes only after the welcome', () => {
  const world = createWorld()
  world.client.subscribe(query, () => {})
  world.client.start()
  world.last().listener.opened()
  expect(world.last().sent).toEqual([{ type: 'hello', token: 'second-token' }])
  world.send({ type: 'welcome', epoch: 'e1', now: 1_000_500, mode: 'demo', timeFactor: 60 })
  expect(world.last().sent[1]).toEqual({ type: 'subscribe', sub: 's1', nodes: ['4'], kinds: ['valve'] })
  expect(world.client.status()).toMatchObject({ phase: 'connected', clockOffsetMs: 500, timeFactor: 60 })
})

test('messages within a frame cause one call, and unchanged rows keep their identity', () => {
  const world = createWorld()
  let calls = 0
  world.client.subscribe(query, () => {
    calls += 1
  })
  world.client.start()
  world.welcome()
  world.send(states(1, true, [row(1, 10), row(2, 20)]))
  world.frame()
  const before = world.client.held(query)
  world.send(states(2, false, [row(1, 11)]))
  world.send(states(3, false, [row(1, 12)]))
  world.frame()
  const after = world.client.held(query)
  expect(calls).toBe(2)
  expect(after.states.get(1)?.metrics).toEqual({ 'valve.opening': 12 })
  expect(after.states.get(2)).toBe(before.states.get(2))
  expect(before.states.get(1)?.metrics).toEqual({ 'valve.opening': 10 })
})

test('an answer in parts is stored part by part and is ready with its last part', () => {
  const world = createWorld()
  world.client.subscribe(query, () => {})
  world.client.start()
  world.welcome()
  world.send(part(0, true, [row(1, 10)]))
  world.frame()
  expect(world.client.held(query)).toMatchObject({ ready: false })
  expect(
    world.client
      .held(query)
      .states.list()
      .map(({ deviceId }) => deviceId),
  ).toEqual([1])
  world.send(states(5, false, [row(2, 20)]))
  world.frame()
  expect(world.client.held(query)).toMatchObject({ ready: true })
  expect(
    world.client
      .held(query)
      .states.list()
      .map(({ deviceId }) => deviceId),
  ).toEqual([1, 2])
  // After a gap only changes arrive; the rest stays.
  world.send(part(5, false, [row(1, 11)]))
  world.frame()
  expect(world.client.held(query)).toMatchObject({ ready: true })
})

test('after a loss it waits longer each time, reports the start of the loss, and resumes from its cursor', () => {
  const world = createWorld()
  world.client.subscribe(query, () => {})
  world.client.start()
  world.welcome()
  world.send(states(41, true, [row(1, 10)]))
  world.frame()
  world.last().listener.closed()
  expect(world.client.status()).toMatchObject({ phase: 'waiting', since: 1_000_000, everConnected: true })
  expect(world.passTime()).toBe(500)
  world.last().listener.closed()
  expect(world.passTime()).toBe(1_000)
  expect(world.client.status().since).toBe(1_000_000)
  world.welcome()
  expect(world.last().sent[1]).toMatchObject({ type: 'subscribe', since: { epoch: 'e1', version: 41 } })
  expect(world.client.status().since).toBeUndefined()
  expect(world.client.held(query).states.list().length).toBe(1)
})

test('a full answer replaces the data: a removed device is gone', () => {
  const world = createWorld()
  world.client.subscribe(query, () => {})
  world.client.start()
  world.welcome()
  world.send(states(1, true, [row(1, 10), row(2, 20)]))
  world.send(states(2, true, [row(2, 21)]))
  world.frame()
  expect(
    world.client
      .held(query)
      .states.list()
      .map(({ deviceId }) => deviceId),
  ).toEqual([2])
})

test('pages with the same query share a subscription, which ends with the last page', () => {
  const world = createWorld()
  world.client.start()
  world.welcome()
  const first = world.client.subscribe({ nodes: ['4', '5'], kinds: ['valve'] }, () => {})
  const second = world.client.subscribe({ nodes: ['5', '4'], kinds: ['valve'] }, () => {})
  expect(world.last().sent.filter((request) => request.type === 'subscribe')).toHaveLength(1)
  first()
  expect(world.last().sent.at(-1)?.type).toBe('subscribe')
  second()
  expect(world.last().sent.at(-1)).toEqual({ type: 'unsubscribe', sub: 's1' })
})

test('a page that is shown again has its old data and requests only changes', () => {
  const world = createWorld()
  world.client.start()
  world.welcome()
  const leave = world.client.subscribe(query, () => {})
  world.send(states(7, true, [row(1, 10)]))
  world.frame()
  leave()
  expect(world.client.held(query).states.list().length).toBe(1)
  world.client.subscribe(query, () => {})
  expect(world.last().sent.at(-1)).toMatchObject({ type: 'subscribe', since: { epoch: 'e1', version: 7 } })
})

test('only the last few unused subscriptions are cached', () => {
  const world = createWorld()
  world.client.start()
  world.welcome()
  for (let node = 1; node <= 20; node += 1) {
    world.client.subscribe({ nodes: [String(node)], kinds: ['valve'] }, () => {})()
    world.send(states(node, true, [row(node, 10)], `s${node}`))
    world.frame()
  }
  const held = (node: number) =>
    world.client.held({ nodes: [String(node)], kinds: ['valve'] }).states.list().length
  expect(held(12)).toBe(0)
  expect(held(13)).toBe(1)
  expect(held(20)).toBe(1)
})

test('a silent connection gets a ping, and is closed without an answer', () => {
  const world = createWorld()
  world.client.start()
  world.welcome()
  world.passTime()
  expect(world.last().sent.at(-1)).toEqual({ type: 'ping' })
  world.passTime()
  expect(world.sockets[0]?.closed).toBe(true)
  expect(world.client.status().phase).toBe('waiting')
})

test('after the session ended, it requests a new session and connects again', async () => {
  const world = createWorld()
  world.recover()
  world.client.start()
  world.welcome()
  world.send({ type: 'expired' })
  await Promise.resolve()
  await Promise.resolve()
  expect(world.sockets).toHaveLength(2)
})

test('a change of the tree names the nodes above it', () => {
  const world = createWorld()
  const received: (readonly string[])[] = []
  const leave = world.client.onStructure((parents) => void received.push(parents))
  world.client.start()
  world.welcome()
  world.send({ type: 'structure', parents: ['4', '5'] })
  world.frame()
  expect(received).toEqual([['4', '5']])
  leave()
  world.send({ type: 'structure', parents: ['6'] })
  world.frame()
  expect(received).toHaveLength(1)
})

test('after a lost connection the whole tree may have changed; at the first one it has not', () => {
  const world = createWorld()
  const received: (readonly string[])[] = []
  world.client.onStructure((parents) => void received.push(parents))
  world.client.start()
  world.welcome()
  world.frame()
  expect(received).toEqual([])
  world.last().listener.closed()
  world.passTime()
  world.welcome()
  world.frame()
  expect(received).toEqual([[]])
})

test('alarm notifications are passed on; after a lost connection any alarm may have changed, at the first connection none', () => {
  const world = createWorld()
  const received: object[] = []
  const leave = world.client.onNotification((notification) => void received.push(notification))
  world.client.start()
  world.welcome()
  world.send({ type: 'alarm' })
  world.frame()
  expect(received).toEqual([{ type: 'alarm' }])
  world.last().listener.closed()
  world.passTime()
  world.welcome()
  world.frame()
  expect(received).toEqual([{ type: 'alarm' }, { type: 'alarm' }])
  leave()
  world.send({ type: 'alarm' })
  world.frame()
  expect(received).toHaveLength(2)
})

const notification: {
  readonly [Kind in LiveNotification['type']]: Extract<LiveNotification, { type: Kind }>
} = {
  alarm: { type: 'alarm' },
  silences: { type: 'silences' },
  'alarm-rules': { type: 'alarm-rules' },
  batch: { type: 'batch', id: '01M81AFQFQ', state: 'running', total: 3, counts: { accepted: 3 } },
  hold: {
    type: 'hold',
    hold: {
      id: 1,
      deviceId: 7,
      deviceName: '阀门',
      nestaddr: '集团,公司',
      priority: 'manual',
      openingPct: 40,
      actor: 'dispatcher',
      reason: '',
      since: 1_000_000,
      until: 2_000_000,
    },
  },
  export: { type: 'export', progressId: 'e', rows: 10, state: 'running' },
  campaign: {
    type: 'campaign',
    id: 2,
    node: '14',
    version: 2,
    state: 'executing',
    round: 1,
    moves: 30,
    moved: 3,
  },
  strategy: { type: 'strategy', id: 1, node: '14', version: 7, state: 'paused' },
  places: { type: 'places' },
}

test.each(Object.values(notification))('every kind of notification is passed on: $type', (each) => {
  const world = createWorld()
  const received: object[] = []
  world.client.onNotification((message) => void received.push(message))
  world.client.start()
  world.welcome()
  world.send(each)
  world.frame()
  expect(received).toEqual([each])
  expect(world.garbage).toEqual([])
})

test('a refusal reaches its subscription', () => {
  const world = createWorld()
  world.client.subscribe(query, () => {})
  world.client.start()
  world.welcome()
  world.send({ type: 'refused', sub: 's1', code: 'access.denied' })
  expect(world.client.held(query).refused).toBe('access.denied')
})

test('a refusal of the whole connection reaches every waiting page, and ends with the next welcome', () => {
  const world = createWorld()
  let calls = 0
  world.client.subscribe(query, () => {
    calls += 1
  })
  world.client.start()
  world.last().listener.opened()
  world.send({ type: 'refused', code: 'live.too-many' })
  expect(world.client.status().refused).toBe('live.too-many')
  expect(world.client.held(query).refused).toBe('live.too-many')
  expect(calls).toBe(1)
  world.last().listener.closed()
  world.passTime()
  world.welcome()
  world.send(states(1, true, [row(1, 10)]))
  world.frame()
  expect(world.client.status().refused).toBeUndefined()
  expect(world.client.held(query).refused).toBeUndefined()
})

test('a selection of more nodes than the server accepts is refused by the client with its own code', () => {
  const world = createWorld()
  const many = { nodes: Array.from({ length: 2_001 }, (_, each) => String(each)), kinds: ['valve' as const] }
  world.client.start()
  world.welcome()
  world.client.subscribe(many, () => {})
  expect(world.client.held(many).refused).toBe('live.too-many-nodes')
  expect(world.last().sent.map(({ type }) => type)).toEqual(['hello'])
})

test('after stop no data of the user are left, and late messages change nothing', () => {
  const world = createWorld()
  world.client.subscribe(query, () => {})
  world.client.start()
  world.welcome()
  world.send(states(1, true, [row(1, 10)]))
  world.frame()
  const socket = world.last()
  world.client.stop()
  socket.listener.received(JSON.stringify(states(2, true, [row(9, 1)])))
  world.frame()
  expect(world.client.held(query).states.list().length).toBe(0)
  expect(world.client.status()).toMatchObject({ phase: 'idle', timeFactor: undefined })
})

test.each(['not json', '{"type":"surprise"}', 7])(
  'an unknown message (%j) is reported and not fatal',
  (data) => {
    const world = createWorld()
    world.client.start()
    world.welcome()
    world.last().listener.received(data)
    expect(world.garbage).toEqual([data])
    expect(world.client.status().phase).toBe('connected')
  },
)
