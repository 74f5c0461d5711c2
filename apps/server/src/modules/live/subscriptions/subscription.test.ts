import type { LiveEvent } from '@isotherm/contract/live'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { openSubscription } from './subscription.ts'

const valve = (id: number, path = `/1/${id}/`): DirectoryEntry => ({
  id,
  path,
  tenant: 'demo',
  serial: `v${id}`,
  kind: 'valve',
  concentratorId: undefined,
  periodS: 5,
})

type States = Extract<LiveEvent, { type: 'states' }>

function createBench(count: number) {
  const clock = createTestClock()
  const devices = Array.from({ length: count }, (_, index) => valve(index + 1))
  const versions = new Map<number, number>()
  let version = 0
  let isBehind = false
  const change = (id: number): void => {
    version += 1
    versions.set(id, version)
  }
  const states = {
    version: () => version,
    find: (id: number) => {
      const changed = versions.get(id)
      return changed === undefined
        ? undefined
        : { deviceId: id, ts: changed, quality: 0, metrics: { 'valve.opening': changed } }
    },
    versionOf: (id: number) => versions.get(id) ?? 0,
  }
  for (const { id } of devices) change(id)
  const open = (
    since?: States['cursor'],
    paths: readonly string[] = ['/'],
    deviceIds?: readonly number[],
  ) => {
    const sent: States[] = []
    const subscription = openSubscription({
      name: 's',
      kinds: ['valve'],
      epoch: 'e',
      since,
      paths,
      deviceIds,
      states,
      devices,
      clock,
      send: (event) => {
        if (event.type === 'states') sent.push(event)
      },
      isBehind: () => isBehind,
    })
    const update = (id: number): void => {
      change(id)
      subscription.recordChange(devices[id - 1] ?? valve(id))
    }
    return { subscription, sent, update }
  }
  const fallBehind = (behind: boolean): void => {
    isBehind = behind
  }
  return { clock, open, change, fallBehind, version: () => version }
}

test('a new subscription first sends everything it matches', () => {
  const { sent } = createBench(3).open()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ full: true, cursor: { epoch: 'e', version: 3 } })
  expect(sent[0]?.rows.map(({ deviceId }) => deviceId)).toEqual([1, 2, 3])
})

test('a subscription that matches nothing sends an empty answer', () => {
  expect(createBench(0).open().sent).toMatchObject([{ full: true, rows: [] }])
})

test('with chosen devices only these are sent, first and later, if they are below its nodes', () => {
  const { open, clock } = createBench(4)
  const { sent, update } = open(undefined, ['/1/1/', '/1/2/', '/1/3/'], [2, 3, 4])
  expect(sent[0]?.rows.map(({ deviceId }) => deviceId)).toEqual([2, 3])
  for (const id of [1, 2, 4]) update(id)
  clock.advance(100)
  expect(sent[1]?.rows.map(({ deviceId }) => deviceId)).toEqual([2])
})

test('devices outside its subtrees or of another kind are never sent', () => {
  const { clock, open } = createBench(3)
  const { sent, update } = open(undefined, ['/1/2/'])
  update(1)
  update(2)
  clock.advance(5_000)
  expect(new Set(sent.flatMap(({ rows }) => rows.map(({ deviceId }) => deviceId)))).toEqual(new Set([2]))
})

test('a path is a prefix of whole steps: /1/2/ does not cover /1/20/', () => {
  const { open } = createBench(20)
  expect(open(undefined, ['/1/2/']).sent[0]?.rows.map(({ deviceId }) => deviceId)).toEqual([2])
})

test('a device that changes many times a second is sent once, with its newest values', () => {
  const { clock, open, version } = createBench(2)
  const { sent, update } = open()
  for (let i = 0; i < 50; i++) update(1)
  clock.advance(1_000)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ full: false, cursor: { version: version() } })
  expect(sent[1]?.rows).toEqual([expect.objectContaining({ deviceId: 1, ts: version() })])
})

test('updates go on while the clock of the machine is set back', () => {
  const { clock, open } = createBench(1)
  const { sent, update } = open()
  clock.jump(-3_600_000)
  update(1)
  clock.advance(100)
  expect(sent).toHaveLength(2)
})

test('a slow client gets no updates until it catches up, and then the newest values only', () => {
  const { clock, open, fallBehind, version } = createBench(2)
  const { sent, update } = open()
  fallBehind(true)
  for (let second = 0; second < 10; second++) {
    update(1)
    clock.advance(1_000)
  }
  expect(sent).toHaveLength(1)
  fallBehind(false)
  clock.advance(1_000)
  expect(sent[1]?.rows).toEqual([expect.objectContaining({ deviceId: 1, ts: version() })])
})

test('a client with a cursor gets the changes since then, or everything if the cursor is from another run of the server', () => {
  const { open, change } = createBench(3)
  const cursor = open().sent[0]?.cursor
  change(2)
  expect(open(cursor).sent).toMatchObject([{ full: false, rows: [{ deviceId: 2 }] }])
  expect(open({ epoch: 'other', version: 3 }).sent[0]).toMatchObject({ full: true })
  expect(open({ epoch: 'other', version: 3 }).sent[0]?.rows).toHaveLength(3)
})

test('a long first answer comes in parts, and only the last one has the cursor', () => {
  const { clock, open } = createBench(4_500)
  const { sent } = open()
  clock.advance(20)
  clock.advance(20)
  expect(sent.map(({ full, rows }) => [full, rows.length])).toEqual([
    [true, 2_000],
    [false, 2_000],
    [false, 500],
  ])
  expect(sent.map(({ more }) => more)).toEqual([true, true, undefined])
  expect(sent.map(({ cursor }) => cursor.version)).toEqual([0, 0, 4_500])
})

test('whatever happens and wherever the connection breaks, resuming misses no change', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('update' as const), id: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 1_500 }) }),
    fc.record({ do: fc.constant('behind' as const), is: fc.boolean() }),
    fc.record({ do: fc.constant('reconnect' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bench = createBench(6)
      const clientRows = new Map<number, number>()
      let cursor: States['cursor'] | undefined
      let current = bench.open()
      const take = (): void => {
        for (const { cursor: given, rows } of current.sent.splice(0)) {
          cursor = given
          for (const { deviceId, ts } of rows) clientRows.set(deviceId, ts)
        }
      }
      const newest = new Map<number, number>([1, 2, 3, 4, 5, 6].map((id) => [id, id]))
      for (const taken of steps) {
        take()
        if (taken.do === 'update') {
          current.update(taken.id)
          newest.set(taken.id, bench.version())
        } else if (taken.do === 'advance') bench.clock.advance(taken.ms)
        else if (taken.do === 'behind') bench.fallBehind(taken.is)
        else {
          current.subscription.close()
          current = bench.open(cursor)
        }
      }
      bench.fallBehind(false)
      bench.clock.advance(1_000)
      bench.clock.advance(1_000)
      take()
      expect(clientRows).toEqual(newest)
    }),
  )
})
