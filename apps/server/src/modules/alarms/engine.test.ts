import { alarmKindDefinition } from '@isotherm/contract/alarm-kinds'
import { type MetricName, quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import type { DirectoryEntry } from '../devices/index.ts'
import { createEngine } from './engine.ts'
import { type BookedRule, createRuleBook } from './rule-book.ts'
import { type Change, toOriginatorKey } from './watches.ts'

/** In the heating season, at noon in Shanghai. */
const START = Date.UTC(2026, 10, 21, 4)
const MINUTE = 60_000
const zones = new Map([['demo', 'Asia/Shanghai']])

const toEntry = (id: number, kind: DirectoryEntry['kind'], path: string, concentratorId?: number) =>
  ({
    id,
    kind,
    path: `${path}d${id}/`,
    concentratorId,
    tenant: 'demo',
    serial: `s${id}`,
    periodS: 60,
  }) as const

function toRule(given: Partial<BookedRule> & Pick<BookedRule, 'kind' | 'nodeId'>): BookedRule {
  return { id: 1, deviceKinds: [], ...alarmKindDefinition(given.kind).standard, ...given }
}

/** An engine over some devices; `told` is what it put down of alarms so far. */
function start(devices: readonly DirectoryEntry[], rules: readonly BookedRule[] = []) {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const changes: Change[] = []
  const engine = createEngine({
    directory: {
      findById: (id) => byId.get(id),
      countBelow: (path) => devices.filter((device) => device.path.startsWith(path)).length,
    },
    findNewest: () => undefined,
    put: (change) => changes.push(change),
  })
  engine.useRules(createRuleBook(rules, zones), START)
  let now = START
  return {
    engine,
    told: () =>
      changes.flatMap((change) =>
        change.op === 'delay' ? [] : [`${change.op} ${change.kind} ${toOriginatorKey(change.originator)}`],
      ),
    changes,
    /** Lets time pass, the engine looking every few seconds. */
    pass(minutes: number, everyMs = 10_000) {
      for (const end = now + minutes * MINUTE; now < end; ) {
        now += everyMs
        engine.tick(now)
      }
    },
    read(id: number, values: Partial<Record<MetricName, number>>, bits = 0) {
      const device = byId.get(id)
      if (!device) throw new Error('no such device')
      const given = Object.entries(values) as [MetricName, number][]
      const sample = {
        device,
        ts: now,
        values: given.map(([metric, value]) => ({ metric, value, quality: bits })),
      }
      engine.observe([sample])
    },
    say(presence: 'present' | 'silent' | 'unknown', ...ids: readonly number[]) {
      engine.observePresence(ids.map((deviceId) => ({ deviceId, at: now, presence })))
    },
  }
}

const room = toEntry(7, 'room-sensor', '/1/2/3/')

test('a room is cold once it has been so for the delay, and no more once it has been warm for the other', () => {
  const { read, pass, told } = start([room])
  read(7, { 'temp.room': 17 })
  pass(45)
  read(7, { 'temp.room': 17.5 })
  expect(told()).toEqual([])
  pass(15)
  read(7, { 'temp.room': 17.9 })
  expect(told()).toEqual(['raised room-cold d7'])
  pass(15)
  // In the hysteresis.
  read(7, { 'temp.room': 18.2 })
  pass(15)
  read(7, { 'temp.room': 18.6 })
  expect(told()).toHaveLength(1)
  pass(15)
  read(7, { 'temp.room': 19 })
  expect(told()).toEqual(['raised room-cold d7', 'cleared room-cold d7'])
})

test('A6: what only readings can judge is neither raised nor cleared without one', () => {
  const { read, pass, told } = start([room])
  read(7, { 'temp.room': 15 })
  pass(600)
  expect(told()).toEqual([])
  read(7, { 'temp.room': 15 })
  pass(600)
  expect(told()).toEqual(['raised room-cold d7'])
})

test('a reading nobody may trust raises no alarm of its value, but that of its sensor', () => {
  const { read, pass, told } = start([room])
  for (let hour = 0; hour < 3; hour += 1) {
    read(7, { 'temp.room': -20 }, quality.sensorFault)
    pass(60)
  }
  expect(told()).toEqual(['raised sensor-fault d7'])
  read(7, { 'temp.room': -20 }, quality.sensorFault | quality.maintenance)
  expect(told()).toHaveLength(1)
})

test('the nearest rule holds, and one that is switched off keeps those above from raising', () => {
  const far = toRule({ id: 1, kind: 'room-cold', nodeId: 1, raiseAt: 20, clearAt: 20.5, raiseAfterS: 0 })
  const near = toRule({ id: 2, kind: 'room-cold', nodeId: 3, raiseAt: 16, clearAt: 16.5, raiseAfterS: 0 })
  const only = start([room], [far])
  only.read(7, { 'temp.room': 19 })
  expect(only.told()).toEqual(['raised room-cold d7'])
  const both = start([room], [far, near])
  both.read(7, { 'temp.room': 17 })
  expect(both.told()).toEqual([])
  both.read(7, { 'temp.room': 15 })
  expect(both.changes.at(-1)).toMatchObject({ op: 'raised', ruleId: 2, value: 15 })
  const off = start([room], [far, { ...near, enabled: false }])
  off.read(7, { 'temp.room': 5 })
  expect(off.told()).toEqual([])
})

test('A7: out of the season and the hours nothing is raised, and what was is cleared', () => {
  const night = { from: 22, to: 6 }
  const rules = [
    toRule({ id: 1, kind: 'room-cold', nodeId: 1, raiseAt: 18, clearAt: 18, raiseAfterS: 0, hours: night }),
    toRule({ id: 2, kind: 'room-cold', nodeId: 1, enabled: false }),
  ]
  const { engine, read, pass, told } = start([room], rules)
  read(7, { 'temp.room': 10 })
  expect(told()).toEqual([])
  pass(10 * 60, MINUTE)
  read(7, { 'temp.room': 10 })
  expect(told()).toEqual(['raised room-cold d7'])
  pass(8 * 60, MINUTE)
  engine.review(START + 18 * 60 * MINUTE)
  expect(told()).toEqual(['raised room-cold d7', 'cleared room-cold d7'])
  engine.useRules(
    createRuleBook([toRule({ kind: 'room-cold', nodeId: 1, season: { from: '05-01', to: '09-30' } })], zones),
    START,
  )
  // Out of its season the rule is as if it were not there, and the standard of the kind holds.
  for (let quarter = 0; quarter < 5; quarter += 1) {
    read(7, { 'temp.room': 10 })
    pass(15)
  }
  expect(told()).toHaveLength(3)
})

test('a valve that does not reach what it was told to is one, and one that moves is none', () => {
  const { read, pass, told } = start([toEntry(4, 'valve', '/1/2/')])
  read(4, { 'valve.opening': 20, 'valve.target': 60 })
  pass(30)
  read(4, { 'valve.opening': 58, 'valve.target': 60 })
  pass(60)
  read(4, { 'valve.opening': 58, 'valve.target': 20 })
  pass(60)
  expect(told()).toEqual([])
  read(4, { 'valve.opening': 58, 'valve.target': 20 })
  expect(told()).toEqual(['raised valve-off-target d4'])
})

test('a device that is silent for the delay is an alarm, and its return clears it', () => {
  const { say, pass, told } = start([room])
  say('silent', 7)
  pass(14)
  expect(told()).toEqual([])
  pass(2)
  expect(told()).toEqual(['raised device-silent d7'])
  say('present', 7)
  expect(told()).toEqual(['raised device-silent d7', 'cleared device-silent d7'])
})

const hub = toEntry(100, 'concentrator', '/1/2/3/')
const behind = [101, 102, 103].map((id) => toEntry(id, 'room-sensor', '/1/2/3/', 100))

test('A5: of a silent concentrator and all behind it one alarm is raised, and what was open is kept behind it', () => {
  const { say, pass, told, read, engine } = start([hub, ...behind])
  say('silent', 101)
  read(102, { 'bat.v': 3 })
  pass(370)
  read(102, { 'bat.v': 3 })
  expect(told()).toEqual(['raised device-silent d101', 'raised battery-low d102'])
  say('silent', 100)
  say('unknown', 101, 102, 103)
  pass(20)
  expect(told().slice(2)).toEqual([
    ...['raised concentrator-silent d100', 'suppression device-silent d101', 'suppression battery-low d102'],
  ])
  say('present', 100)
  engine.tick(START + 400 * MINUTE)
  expect(told().slice(5)).toEqual([
    ...['cleared concentrator-silent d100', 'suppression device-silent d101', 'suppression battery-low d102'],
  ])
  // Those behind it that stay away have all of their delay again.
  say('silent', 103)
  pass(14)
  expect(told()).toHaveLength(8)
})

/** Two stations of one company with so many devices each, of which some stand behind concentrators. */
function createStations(each: number): readonly DirectoryEntry[] {
  return [10, 20].flatMap((station) =>
    Array.from({ length: each }, (_, index) => {
      const path = `/1/2/${station}/${station * 100 + (index % 20)}/`
      return toEntry(station * 100_000 + index, index % 50 === 0 ? 'concentrator' : 'room-sensor', path)
    }),
  )
}

test('A5: of the 10,000 devices of one station that fall silent over a quarter of an hour one alarm is raised, and their return clears it', () => {
  const devices = createStations(10_000)
  const totals = new Map<string, number>()
  for (const { path } of devices) {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
      totals.set(path.slice(0, end + 1), (totals.get(path.slice(0, end + 1)) ?? 0) + 1)
    }
  }
  const byId = new Map(devices.map((device) => [device.id, device]))
  const told: string[] = []
  const engine = createEngine({
    directory: { findById: (id) => byId.get(id), countBelow: (path) => totals.get(path) },
    findNewest: () => undefined,
    put({ op, kind, ...change }) {
      if (op !== 'delay') told.push(`${op} ${kind} ${toOriginatorKey(change.originator)}`)
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
  expect(told).toEqual(['raised subtree-silent n10'])
  spread('present', station)
  expect(told).toEqual(['raised subtree-silent n10', 'cleared subtree-silent n10'])
})

test('devices that have been gone for long say nothing about those that go now', () => {
  const devices = createStations(40)
  const { engine, say, pass, told } = start(devices)
  const [station, rest] = [devices.slice(0, 30), devices.slice(30, 38)]
  engine.noteUnheard(
    station.map(({ id }) => id),
    START,
  )
  pass(5)
  expect(told()).toEqual([])
  // Eight of the ten that are left are still no group.
  say('silent', ...rest.map(({ id }) => id))
  pass(16)
  expect(told()).toHaveLength(8)
})

test('what the readings of a meter show is an alarm as long as they do', () => {
  const { engine, told, pass } = start(
    [toEntry(5, 'heat-meter', '/1/2/')],
    [toRule({ kind: 'sensors-swapped', nodeId: 1, raiseAfterS: 600 })],
  )
  const swapped = { deviceId: 5, rule: 'swapped-sensors', since: START } as const
  engine.observeFindings([swapped, { ...swapped, rule: 'meter-clock' }], START)
  expect(told()).toEqual([])
  pass(11)
  expect(told()).toEqual(['raised sensors-swapped d5'])
  engine.observeFindings([{ ...swapped, until: START + 20 * MINUTE }], START + 20 * MINUTE)
  expect(told()).toEqual(['raised sensors-swapped d5', 'cleared sensors-swapped d5'])
})

test('what a person ended counts anew while it goes on, and one out of use is withdrawn', () => {
  const { engine, say, pass, told } = start([room])
  say('silent', 7)
  pass(16)
  engine.noteState('device-silent', { deviceId: 7 }, 'ended', START + 16 * MINUTE)
  pass(14)
  expect(told()).toEqual(['raised device-silent d7'])
  pass(2)
  expect(told()).toEqual(['raised device-silent d7', 'raised device-silent d7'])
  engine.withdraw(7, START + 40 * MINUTE)
  expect(told().at(-1)).toBe('withdrawn device-silent d7')
})

test('delays and alarms that were put down go on where they were', () => {
  const first = start([room])
  first.read(7, { 'temp.room': 15 })
  const [delay] = first.changes
  if (delay?.op !== 'delay') throw new Error('no delay was put down')
  const second = start([room])
  second.engine.recall([
    { kind: 'room-cold', originator: { deviceId: 7 }, phase: 'raising', since: delay.since },
  ])
  second.pass(60)
  second.read(7, { 'temp.room': 15 })
  expect(second.told()).toEqual(['raised room-cold d7'])
})
