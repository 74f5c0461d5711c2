import { quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { createRuleBook } from '../rules/rule-book.ts'
import { MINUTE, START, startEngine, toEntry, toRule, zones } from './engine.testkit.ts'

const room = toEntry(7, 'room-sensor', '/1/2/3/')

test('a cold room is raised after its delay and cleared after the other delay', () => {
  const { read, pass, outcomes } = startEngine([room])
  read(7, { 'temp.room': 17 })
  pass(45)
  read(7, { 'temp.room': 17.5 })
  expect(outcomes()).toEqual([])
  pass(15)
  read(7, { 'temp.room': 17.9 })
  expect(outcomes()).toEqual(['raised room-cold d7'])
  pass(15)
  // In the hysteresis.
  read(7, { 'temp.room': 18.2 })
  pass(15)
  read(7, { 'temp.room': 18.6 })
  expect(outcomes()).toHaveLength(1)
  pass(15)
  read(7, { 'temp.room': 19 })
  expect(outcomes()).toEqual(['raised room-cold d7', 'cleared room-cold d7'])
})

test('A6: alarms that only readings can evaluate are neither raised nor cleared without one', () => {
  const { read, pass, outcomes } = startEngine([room])
  read(7, { 'temp.room': 15 })
  pass(600)
  expect(outcomes()).toEqual([])
  read(7, { 'temp.room': 15 })
  pass(600)
  expect(outcomes()).toEqual(['raised room-cold d7'])
})

test('a late reading raises nothing, unless it is of the same minute', () => {
  const rule = toRule({ kind: 'room-cold', nodeId: 1, raiseAfterS: 0 })
  const { read, newest, outcomes } = startEngine([room], [rule])
  newest.set(7, START + 2 * MINUTE)
  read(7, { 'temp.room': 10 })
  expect(outcomes()).toEqual([])
  // The battery is sent in a message of its own.
  newest.set(7, START + 3_000)
  read(7, { 'temp.room': 10 })
  expect(outcomes()).toEqual(['raised room-cold d7'])
})

test('a suspect reading raises the alarm of its sensor, not of its value', () => {
  const { read, pass, outcomes } = startEngine([room])
  for (let hour = 0; hour < 3; hour += 1) {
    read(7, { 'temp.room': -20 }, quality.sensorFault)
    pass(60)
  }
  expect(outcomes()).toEqual(['raised sensor-fault d7'])
  read(7, { 'temp.room': -20 }, quality.sensorFault | quality.maintenance)
  expect(outcomes()).toHaveLength(1)
})

test('the closest rule applies, and a disabled rule prevents the rules above from raising', () => {
  const far = toRule({ id: 1, kind: 'room-cold', nodeId: 1, raiseAt: 20, clearAt: 20.5, raiseAfterS: 0 })
  const near = toRule({ id: 2, kind: 'room-cold', nodeId: 3, raiseAt: 16, clearAt: 16.5, raiseAfterS: 0 })
  const only = startEngine([room], [far])
  only.read(7, { 'temp.room': 19 })
  expect(only.outcomes()).toEqual(['raised room-cold d7'])
  const both = startEngine([room], [far, near])
  both.read(7, { 'temp.room': 17 })
  expect(both.outcomes()).toEqual([])
  both.read(7, { 'temp.room': 15 })
  expect(both.changes.at(-1)).toMatchObject({ op: 'raised', ruleId: 2, value: 15 })
  const off = startEngine([room], [far, { ...near, enabled: false }])
  off.read(7, { 'temp.room': 5 })
  expect(off.outcomes()).toEqual([])
})

test('A7: outside of the season and the hours nothing is raised, and open alarms are cleared', () => {
  const night = { from: 22, to: 6 }
  const rules = [
    toRule({ id: 1, kind: 'room-cold', nodeId: 1, raiseAt: 18, clearAt: 18, raiseAfterS: 0, hours: night }),
    toRule({ id: 2, kind: 'room-cold', nodeId: 1, enabled: false }),
  ]
  const { engine, read, pass, outcomes } = startEngine([room], rules)
  read(7, { 'temp.room': 10 })
  expect(outcomes()).toEqual([])
  pass(10 * 60, MINUTE)
  read(7, { 'temp.room': 10 })
  expect(outcomes()).toEqual(['raised room-cold d7'])
  pass(8 * 60, MINUTE)
  engine.review(START + 18 * 60 * MINUTE)
  expect(outcomes()).toEqual(['raised room-cold d7', 'cleared room-cold d7'])
  engine.useRules(
    createRuleBook([toRule({ kind: 'room-cold', nodeId: 1, season: { from: '05-01', to: '09-30' } })], zones),
    START,
  )
  // Out of its season the rule does not count, and the default rule applies.
  for (let quarter = 0; quarter < 5; quarter += 1) {
    read(7, { 'temp.room': 10 })
    pass(15)
  }
  expect(outcomes()).toHaveLength(3)
})

test('a valve that does not reach its target raises an alarm; a moving valve does not', () => {
  const { read, pass, outcomes } = startEngine([toEntry(4, 'valve', '/1/2/')])
  read(4, { 'valve.opening': 20, 'valve.target': 60 })
  pass(30)
  read(4, { 'valve.opening': 58, 'valve.target': 60 })
  pass(60)
  read(4, { 'valve.opening': 58, 'valve.target': 20 })
  pass(60)
  expect(outcomes()).toEqual([])
  read(4, { 'valve.opening': 58, 'valve.target': 20 })
  expect(outcomes()).toEqual(['raised valve-off-target d4'])
})

test('a finding of a meter raises an alarm until it ends', () => {
  const { engine, outcomes, pass } = startEngine(
    [toEntry(5, 'heat-meter', '/1/2/')],
    [toRule({ kind: 'sensors-swapped', nodeId: 1, raiseAfterS: 600 })],
  )
  const swapped = { deviceId: 5, rule: 'swapped-sensors', since: START } as const
  engine.observeFindings([swapped, { ...swapped, rule: 'meter-clock' }], START)
  expect(outcomes()).toEqual([])
  pass(11)
  expect(outcomes()).toEqual(['raised sensors-swapped d5'])
  engine.observeFindings([{ ...swapped, until: START + 20 * MINUTE }], START + 20 * MINUTE)
  expect(outcomes()).toEqual(['raised sensors-swapped d5', 'cleared sensors-swapped d5'])
})

test('stored delays and alarms continue after a restart', () => {
  const first = startEngine([room])
  first.read(7, { 'temp.room': 15 })
  const [delay] = first.changes
  if (delay?.op !== 'delay') throw new Error('no delay was recorded')
  const second = startEngine([room])
  second.engine.restore(
    [{ kind: 'room-cold', originator: { deviceId: 7 }, phase: 'raising', since: delay.since }],
    { downtimeMs: 0, now: START },
  )
  second.pass(60)
  second.read(7, { 'temp.room': 15 })
  expect(second.outcomes()).toEqual(['raised room-cold d7'])
})
