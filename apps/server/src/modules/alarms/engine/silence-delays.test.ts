import { describe, expect, test } from 'vitest'
import { createRuleBook } from '../rules/rule-book.ts'
import { MINUTE, START, startEngine, toEntry, toRule, zones } from './engine.testkit.ts'

const room = toEntry(7, 'room-sensor', '/1/2/3/')
const hub = toEntry(100, 'concentrator', '/1/2/3/')
const behind = toEntry(101, 'room-sensor', '/1/2/3/', 100)

describe('the delay of a silent device', () => {
  test('is stored when it starts and when it ends early', () => {
    const { setPresence, pass, changes } = startEngine([room])
    setPresence('silent', 7)
    const delay = { op: 'delay', kind: 'device-silent', originator: { deviceId: 7 } }
    expect(changes).toEqual([{ ...delay, phase: 'raising', since: START }])
    pass(10)
    setPresence('present', 7)
    pass(30)
    expect(changes.slice(1)).toEqual([{ ...delay, phase: undefined, since: START + 10 * MINUTE }])
  })

  test('is not started by a device that reports or whose state is unknown', () => {
    const { setPresence, pass, changes } = startEngine([room])
    setPresence('present', 7)
    setPresence('unknown', 7)
    setPresence('silent', 8)
    pass(30)
    expect(changes).toEqual([])
  })

  test('lasts until the next tick where the rule has none, because others may become silent as well', () => {
    const rules = [toRule({ kind: 'device-silent', nodeId: 1, raiseAfterS: 0 })]
    const { setPresence, pass, outcomes } = startEngine([room], rules)
    setPresence('silent', 7)
    setPresence('silent', 7)
    expect(outcomes()).toEqual([])
    pass(1)
    expect(outcomes()).toEqual(['raised device-silent d7'])
  })

  test('before its alarm clears is that of the rule, and a new silence ends it', () => {
    const rules = [toRule({ kind: 'device-silent', nodeId: 1, clearAfterS: 600 })]
    const { setPresence, pass, outcomes } = startEngine([room], rules)
    setPresence('silent', 7)
    pass(16)
    setPresence('present', 7)
    pass(9)
    setPresence('silent', 7)
    pass(20)
    expect(outcomes()).toEqual(['raised device-silent d7'])
    setPresence('present', 7)
    pass(11)
    expect(outcomes()).toEqual(['raised device-silent d7', 'cleared device-silent d7'])
  })
})

describe('new rules', () => {
  const disabled = [toRule({ kind: 'device-silent', nodeId: 1, enabled: false })]
  const standard = createRuleBook([], zones)

  test('start the full delay of devices that are silent already', () => {
    const others = [3, 9].map((id) => toEntry(id, 'valve', '/1/2/3/'))
    const { engine, setPresence, pass, changes, outcomes } = startEngine([room, ...others], disabled)
    setPresence('silent', 3, 7, 9)
    pass(30)
    expect(changes).toEqual([])
    setPresence('present', 3)
    engine.useRules(standard, START + 30 * MINUTE)
    pass(14)
    expect(outcomes()).toEqual([])
    pass(2)
    expect(outcomes()).toEqual(['raised device-silent d7', 'raised device-silent d9'])
  })

  test('change nothing for a silent device whose alarm is on, and withdraw it where they disable it', () => {
    const { engine, setPresence, pass, outcomes } = startEngine([room])
    setPresence('silent', 7)
    pass(16)
    engine.useRules(standard, START + 16 * MINUTE)
    pass(30)
    expect(outcomes()).toEqual(['raised device-silent d7'])
    engine.useRules(createRuleBook(disabled, zones), START + 46 * MINUTE)
    setPresence('present', 7)
    pass(1)
    expect(outcomes()).toEqual(['raised device-silent d7', 'cleared device-silent d7'])
  })

  test('start no delay of a device that was retired while it was silent', () => {
    const { engine, setPresence, pass, outcomes } = startEngine([room])
    setPresence('silent', 7)
    pass(5)
    engine.withdraw(7, START + 5 * MINUTE)
    engine.useRules(standard, START + 5 * MINUTE)
    pass(30)
    expect(outcomes()).toEqual([])
  })
})

describe('devices behind a concentrator', () => {
  test('have their full delay after it reports again', () => {
    const { setPresence, pass, outcomes } = startEngine([hub, behind])
    setPresence('silent', 100, 101)
    pass(20)
    expect(outcomes()).toEqual(['raised concentrator-silent d100'])
    setPresence('present', 100)
    pass(14)
    expect(outcomes().slice(1)).toEqual(['cleared concentrator-silent d100'])
    pass(2)
    expect(outcomes().slice(2)).toEqual(['raised device-silent d101'])
  })

  test('do not wait for it if it was not silent', () => {
    const { setPresence, pass, outcomes } = startEngine([hub, behind])
    setPresence('silent', 101)
    pass(10)
    setPresence('present', 100)
    pass(6)
    expect(outcomes()).toEqual(['raised device-silent d101'])
  })

  test('do not wait for a device that is no concentrator', () => {
    const { setPresence, pass, outcomes } = startEngine([hub, behind, room])
    setPresence('silent', 7, 101)
    pass(10)
    setPresence('present', 7)
    pass(6)
    expect(outcomes()).toEqual(['raised device-silent d101'])
  })
})
