import { describe, expect, test } from 'vitest'
import { START as FROM, MINUTE, startEngine, toEntry, toRule } from './engine.testkit.ts'

/** Devices of a place with ids in sequence. */
const rooms = (count: number, path: string, first: number) =>
  Array.from({ length: count }, (_, index) => toEntry(first + index, 'room-sensor', path))
const idsOf = (devices: readonly { readonly id: number }[]) => devices.map(({ id }) => id)

const station = rooms(20, '/1/2/10/', 1_000)
const elsewhere = rooms(60, '/1/2/20/', 2_000)
const company = [...station, ...elsewhere]
const ids = idsOf(station)

describe('devices that become silent together', () => {
  test('raise one alarm of their place after its delay, ten of them at least and more than half', () => {
    const raisedWith = (silent: number) => {
      const { setPresence, pass, outcomes } = startEngine([...station.slice(0, 19), ...elsewhere])
      setPresence('silent', ...ids.slice(0, silent))
      pass(9)
      expect(outcomes()).toEqual([])
      pass(3)
      return outcomes()
    }
    expect(raisedWith(9)).toEqual([])
    expect(raisedWith(10)).toEqual(['raised subtree-silent n10'])
  })

  test('raise it at their next tick where the rule has no delay, and not where it is disabled', () => {
    const raisedBy = (rule: Parameters<typeof toRule>[0]) => {
      const { setPresence, pass, outcomes } = startEngine(company, [toRule(rule)])
      setPresence('silent', ...ids)
      pass(1)
      return outcomes()
    }
    expect(raisedBy({ kind: 'subtree-silent', nodeId: 1, raiseAfterS: 0 })).toEqual([
      'raised subtree-silent n10',
    ])
    expect(raisedBy({ kind: 'subtree-silent', nodeId: 1, raiseAfterS: 0, enabled: false })).toEqual([])
  })

  test('raise it with their share', () => {
    const { setPresence, pass, changes } = startEngine(company)
    setPresence('silent', ...ids.slice(0, 13))
    pass(11)
    expect(changes.at(-1)).toMatchObject({ op: 'raised', originator: { nodeId: 10 }, value: 65 })
  })

  test('have their full delay after most of them report again', () => {
    const { setPresence, pass, outcomes } = startEngine(company)
    setPresence('silent', ...ids)
    pass(20)
    setPresence('present', ...ids.slice(1))
    pass(14)
    expect(outcomes()).toEqual(['raised subtree-silent n10', 'cleared subtree-silent n10'])
    pass(2)
    expect(outcomes().slice(2)).toEqual(['raised device-silent d1000'])
  })

  test('raise alarms of their own if too few are silent at the end of the delay', () => {
    const { setPresence, pass, outcomes } = startEngine(company)
    setPresence('silent', ...ids)
    pass(8)
    setPresence('present', ...ids.slice(2))
    pass(14)
    expect(outcomes()).toEqual([])
    pass(2)
    expect(outcomes()).toEqual(['raised device-silent d1000', 'raised device-silent d1001'])
  })

  test('in a part and then in the whole raise the alarm of the whole only', () => {
    const house = rooms(20, '/1/2/10/30/', 1_000)
    const others = rooms(30, '/1/2/10/40/', 1_100)
    const { setPresence, pass, outcomes } = startEngine([
      ...house,
      ...others,
      ...rooms(200, '/1/2/20/', 2_000),
    ])
    setPresence('silent', ...idsOf(house))
    pass(5)
    setPresence('silent', ...idsOf(others))
    pass(8)
    expect(outcomes()).toEqual([])
    pass(3)
    expect(outcomes()).toEqual(['raised subtree-silent n10'])
  })

  test('and are retired do not count any more', () => {
    const { engine, setPresence, pass, outcomes } = startEngine(company)
    setPresence('silent', ...ids.slice(0, 11))
    pass(1)
    for (const id of ids.slice(0, 2)) engine.withdraw(id, FROM + MINUTE)
    pass(12)
    expect(outcomes()).toEqual([])
  })

  test('count at the place to which they are moved', () => {
    const devices = [...company]
    const { engine, setPresence, pass, outcomes } = startEngine(devices)
    const moving = ids.slice(0, 10)
    setPresence('silent', ...moving)
    for (const [index, id] of moving.entries()) {
      devices[index] = toEntry(id, 'room-sensor', '/1/2/30/')
      engine.move(devices[index])
    }
    // A device that reports takes no silence with it.
    devices[10] = toEntry(1_010, 'room-sensor', '/1/2/40/')
    engine.move(devices[10])
    pass(11)
    expect(outcomes()).toEqual(['raised subtree-silent n30'])
  })
})

describe('devices that have been silent for long', () => {
  const [early, late] = [ids.slice(0, 8), ids.slice(8, 14)]
  /** Alarms after `early`, a review of all watches `minutes` later, and then `late`. */
  function raiseAfter(minutes: number): readonly string[] {
    const { engine, setPresence, pass, outcomes } = startEngine(company)
    setPresence('silent', ...early)
    pass(minutes)
    engine.review(FROM + minutes * MINUTE)
    const before = outcomes().length
    setPresence('silent', ...late)
    pass(11)
    return outcomes()
      .slice(before)
      .filter((outcome) => outcome.startsWith('raised'))
  }

  test('form no group with those that become silent more than an hour later', () => {
    expect(raiseAfter(59)).toEqual(['raised subtree-silent n10'])
    expect(raiseAfter(61)).toEqual([])
  })

  test('do not count in the share of the others', () => {
    const { engine, setPresence, pass, outcomes } = startEngine(company)
    engine.recordUnreported(ids.slice(0, 10), FROM)
    setPresence('silent', ...ids.slice(10))
    pass(11)
    expect(outcomes()).toEqual(['raised subtree-silent n10'])
    const {
      setPresence: set,
      pass: wait,
      outcomes: list,
    } = startEngine([...company, ...rooms(10, '/1/2/10/', 1_020)])
    set('silent', ...ids.slice(10))
    wait(11)
    expect(list()).toEqual([])
  })

  test.each([
    [30, ['raised subtree-silent n10']],
    [100, []],
  ])('when the alarm of their place clears after %i minutes', (minutes, raised) => {
    const { setPresence, pass, outcomes } = startEngine(company)
    setPresence('silent', ...ids)
    pass(minutes)
    setPresence('present', ...ids.slice(2))
    pass(1)
    expect(outcomes().at(-1)).toBe('cleared subtree-silent n10')
    const before = outcomes().length
    // Nine, which are a group only together with the two that are silent since then.
    setPresence('silent', ...ids.slice(11))
    pass(11)
    expect(outcomes().slice(before)).toEqual(raised)
  })
})

test('after a restart the alarm of a silent place stays on while its devices have not reported', () => {
  const { engine, pass, setPresence, outcomes } = startEngine(company)
  engine.restore(
    [
      {
        kind: 'subtree-silent',
        originator: { nodeId: 10 },
        phase: 'raised',
        since: FROM - 60 * MINUTE,
        place: { path: '/1/2/10/', tenant: 'demo' },
      },
    ],
    { downtimeMs: MINUTE, now: FROM },
  )
  engine.recordUnreported(ids, FROM)
  pass(90)
  engine.review(FROM + 90 * MINUTE)
  pass(1)
  expect(outcomes()).toEqual([])
  setPresence('present', ...ids)
  pass(1)
  expect(outcomes()).toEqual(['cleared subtree-silent n10'])
})
