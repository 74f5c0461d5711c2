import { expect, test } from 'vitest'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createRuleBook } from '../rules/rule-book.ts'
import { MINUTE, START, startEngine, toEntry, zones } from './engine.testkit.ts'
import { createEngine } from './engine.ts'
import { toOriginatorKey } from './watches.ts'

const room = toEntry(7, 'room-sensor', '/1/2/3/')

test('a silent device raises an alarm after its delay, and its return clears it', () => {
  const { setPresence, pass, outcomes } = startEngine([room])
  setPresence('silent', 7)
  pass(14)
  expect(outcomes()).toEqual([])
  pass(2)
  expect(outcomes()).toEqual(['raised device-silent d7'])
  setPresence('present', 7)
  expect(outcomes()).toEqual(['raised device-silent d7', 'cleared device-silent d7'])
})

const hub = toEntry(100, 'concentrator', '/1/2/3/')
const behind = [101, 102, 103].map((id) => toEntry(id, 'room-sensor', '/1/2/3/', 100))

test('A5: a silent concentrator and its devices raise one alarm, which suppresses open ones', () => {
  const { setPresence, pass, outcomes, read, engine } = startEngine([hub, ...behind])
  setPresence('silent', 101)
  read(102, { 'bat.v': 3 })
  pass(370)
  read(102, { 'bat.v': 3 })
  expect(outcomes()).toEqual(['raised device-silent d101', 'raised battery-low d102'])
  setPresence('silent', 100)
  setPresence('unknown', 101, 102, 103)
  pass(20)
  expect(outcomes().slice(2)).toEqual([
    'raised concentrator-silent d100',
    'suppression device-silent d101',
    'suppression battery-low d102',
  ])
  setPresence('present', 100)
  engine.tick(START + 400 * MINUTE)
  expect(outcomes().slice(5)).toEqual([
    'cleared concentrator-silent d100',
    'suppression device-silent d101',
    'suppression battery-low d102',
  ])
  // Devices that stay silent start a full delay.
  setPresence('silent', 103)
  pass(14)
  expect(outcomes()).toHaveLength(8)
})

/** Two stations of one company with `count` devices each, some of them behind concentrators. */
function createStations(each: number): readonly DirectoryEntry[] {
  return [10, 20].flatMap((station) =>
    Array.from({ length: each }, (_, index) => {
      const path = `/1/2/${station}/${station * 100 + (index % 20)}/`
      return toEntry(station * 100_000 + index, index % 50 === 0 ? 'concentrator' : 'room-sensor', path)
    }),
  )
}

test('A5: 10,000 devices that become silent over a quarter of an hour raise one alarm, and their return clears it', () => {
  const devices = createStations(10_000)
  const totals = new Map<string, number>()
  for (const { path } of devices) {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
      totals.set(path.slice(0, end + 1), (totals.get(path.slice(0, end + 1)) ?? 0) + 1)
    }
  }
  const byId = new Map(devices.map((device) => [device.id, device]))
  const outcomes: string[] = []
  const engine = createEngine({
    directory: { findById: (id) => byId.get(id), countBelow: (path) => totals.get(path) },
    findNewest: () => undefined,
    put({ op, kind, ...change }) {
      if (op !== 'delay') outcomes.push(`${op} ${kind} ${toOriginatorKey(change.originator)}`)
    },
  })
  engine.useRules(createRuleBook([], zones), START)
  const station = devices.filter(({ path }) => path.startsWith('/1/2/10/'))
  let now = START
  const spread = (presence: 'silent' | 'present', ids: readonly DirectoryEntry[]): void => {
    for (let part = 0; part < 90; part += 1) {
      now += 10_000
      const turn = ids.filter((_, index) => (index * 7) % 90 === part)
      engine.observePresence(turn.map(({ id }) => ({ deviceId: id, at: now, presence })))
      engine.tick(now)
    }
  }
  spread('silent', station)
  for (let later = 0; later < 180; later += 1) {
    now += 10_000
    engine.tick(now)
  }
  expect(outcomes).toEqual(['raised subtree-silent n10'])
  spread('present', station)
  expect(outcomes).toEqual(['raised subtree-silent n10', 'cleared subtree-silent n10'])
})

test('devices that are silent for long do not count for a new group', () => {
  const devices = createStations(40)
  const { engine, setPresence, pass, outcomes } = startEngine(devices)
  const [station, rest] = [devices.slice(0, 30), devices.slice(30, 38)]
  engine.recordUnreported(
    station.map(({ id }) => id),
    START,
  )
  pass(5)
  expect(outcomes()).toEqual([])
  // Eight of the remaining ten are no group.
  setPresence('silent', ...rest.map(({ id }) => id))
  pass(16)
  expect(outcomes()).toHaveLength(8)
})

test('a fault that continues after closing starts a new delay, and a retired device withdraws its alarm', () => {
  const { engine, setPresence, pass, outcomes } = startEngine([room])
  setPresence('silent', 7)
  pass(16)
  engine.recordState('device-silent', { deviceId: 7 }, 'ended', START + 16 * MINUTE)
  pass(14)
  expect(outcomes()).toEqual(['raised device-silent d7'])
  pass(2)
  expect(outcomes()).toEqual(['raised device-silent d7', 'raised device-silent d7'])
  engine.withdraw(7, START + 40 * MINUTE)
  expect(outcomes().at(-1)).toBe('withdrawn device-silent d7')
})

test('A5: a closed alarm of a silent subtree starts again as one, and its devices stay postponed', () => {
  const valves = Array.from({ length: 200 }, (_, index) => toEntry(1_000 + index, 'valve', '/1/2/10/'))
  const elsewhere = Array.from({ length: 200 }, (_, index) => toEntry(2_000 + index, 'valve', '/1/2/20/'))
  const { engine, setPresence, pass, outcomes } = startEngine([...valves, ...elsewhere])
  setPresence('silent', ...valves.map(({ id }) => id))
  pass(30)
  expect(outcomes()).toEqual(['raised subtree-silent n10'])
  engine.recordState('subtree-silent', { nodeId: 10 }, 'ended', START + 30 * MINUTE)
  pass(30)
  expect(outcomes()).toEqual(['raised subtree-silent n10', 'raised subtree-silent n10'])
  setPresence('present', ...valves.map(({ id }) => id))
  pass(5)
  expect(outcomes().slice(2)).toEqual(['cleared subtree-silent n10'])
})

test('A5: devices postponed by a concentrator have their full delay after its alarm is closed', () => {
  const { engine, setPresence, pass, outcomes } = startEngine([hub, ...behind])
  setPresence('silent', 101)
  pass(10)
  engine.recordState('concentrator-silent', { deviceId: 100 }, 'active', START + 10 * MINUTE)
  pass(30)
  expect(outcomes()).toEqual([])
  engine.recordState('concentrator-silent', { deviceId: 100 }, 'ended', START + 40 * MINUTE)
  pass(14)
  expect(outcomes()).toEqual([])
  pass(2)
  expect(outcomes()).toEqual(['raised device-silent d101'])
})

test('the return of a silent device clears its alarm, also after the clock was set back', () => {
  const { engine, outcomes } = startEngine([room])
  engine.observePresence([{ deviceId: 7, at: START, presence: 'silent' }])
  engine.tick(START + 16 * MINUTE)
  engine.observePresence([{ deviceId: 7, at: START - 60 * MINUTE, presence: 'present' }])
  expect(outcomes()).toEqual(['raised device-silent d7', 'cleared device-silent d7'])
})
