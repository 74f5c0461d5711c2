import { expect, test } from 'vitest'
import { createTimeZone } from '../../../../platform/time-zone.ts'
import { nextAllowed, nextCheck } from './hours.ts'
import { flowDeviation, heatDeviation, isBeyond, toIndex } from './indices.ts'
import { heatAt, toMode, toSlotMode } from './modes.ts'

const shanghai = createTimeZone('Asia/Shanghai')
const at = (text: string): number => Date.parse(`${text}+08:00`)
const looks = { everyHours: 6, trims: 1 }

test('heat is on the line through two weather points, also beyond them, within the allowed range', () => {
  const line = { cold: { outdoorC: -10, heatWM2: 45 }, mild: { outdoorC: 10, heatWM2: 15 } }
  expect(heatAt(line, -10)).toBe(45)
  expect(heatAt(line, 0)).toBe(30)
  expect(heatAt(line, -20)).toBe(60)
  expect(heatAt(line, 25)).toBe(1)
})

test('a strategy balances by the present weather, and not at all without a reading', () => {
  const line = { cold: { outdoorC: -10, heatWM2: 45 }, mild: { outdoorC: 10, heatWM2: 15 } }
  const plan = { kind: 'energy', line, startAboveShare: 0.1, ...looks } as const
  expect(toMode(plan, 0)).toEqual({ kind: 'energy', heatWM2: 30 })
  expect(toMode(plan, undefined)).toBeUndefined()
  expect(toMode({ kind: 'flow', startAboveShare: 0.1, ...looks }, undefined)).toEqual({ kind: 'flow' })
})

test('groups of a slot have their target levels', () => {
  const group = {
    name: 'A',
    nodes: ['n1'],
    base: { kind: 'flow', share: 1 },
    slots: [],
    shiftMinutes: 0,
  } as const
  const plan = { kind: 'sequence' as const, frostC: 8, groups: [{ ...group, nodes: ['n1'], slots: [] }] }
  expect(toSlotMode(plan, [{ level: { kind: 'flow', share: 0.2 } }])).toEqual({
    kind: 'sequence',
    frostC: 8,
    groups: [{ name: 'A', nodes: ['n1'], level: { kind: 'flow', share: 0.2 } }],
  })
})

test('flows 20 % above and below their targets deviate by 20 %; the level of heat counts too', () => {
  const flows = [
    { flowM3H: 1.2, targetM3H: 1 },
    { flowM3H: 0.8, targetM3H: 1 },
    { flowM3H: undefined, targetM3H: 1 },
  ]
  expect(flowDeviation(flows)).toBeCloseTo(0.2, 12)
  expect(flowDeviation([])).toBeUndefined()
  // 3-4-5: a variation of 30 % of 20 W/m² and a deficit of 8 W/m², relative to 28 W/m².
  expect(heatDeviation({ heatWM2: 20, heatIntensityVariation: 0.3 }, 28)).toBeCloseTo(10 / 28, 12)
  expect(heatDeviation({ heatWM2: 20 }, 28)).toBeUndefined()
})

test('a temperature strategy uses returns, or rooms if it makes these equal', () => {
  const judged = { indices: { sigmaReturnK: 1.2, sigmaRoomK: 0.4 }, flows: [] }
  const plan = { kind: 'temperature', target: 'room', startAboveK: 0.5, ...looks } as const
  const rooms = toIndex(plan, { kind: 'temperature', target: 'room' }, judged)
  expect(rooms).toEqual({ name: 'sigmaRoomK', value: 0.4, limit: 0.5 })
  const returns = toIndex({ ...plan, target: 'mean' }, { kind: 'temperature', target: 'mean' }, judged)
  expect(returns).toMatchObject({ name: 'sigmaReturnK', value: 1.2 })
  expect([rooms, returns].map((index) => index && isBeyond(index))).toEqual([false, true])
})

test('checks are within the allowed hours, also over midnight, and at any hour without them', () => {
  const day = { fromMinute: 9 * 60, toMinute: 16 * 60 }
  expect(nextAllowed(day, shanghai, at('2026-11-23T12:00:00'))).toBe(at('2026-11-23T12:00:00'))
  expect(nextAllowed(day, shanghai, at('2026-11-23T03:00:00'))).toBe(at('2026-11-23T09:00:00'))
  expect(nextAllowed(day, shanghai, at('2026-11-23T16:00:00'))).toBe(at('2026-11-24T09:00:00'))
  const night = { fromMinute: 22 * 60, toMinute: 5 * 60 }
  expect(nextAllowed(night, shanghai, at('2026-11-23T04:59:00'))).toBe(at('2026-11-23T04:59:00'))
  expect(nextAllowed(night, shanghai, at('2026-11-23T05:00:00'))).toBe(at('2026-11-23T22:00:00'))
  const plan = { kind: 'temperature', target: 'return', startAboveK: 1, ...looks } as const
  expect(nextCheck(plan, shanghai, at('2026-11-23T12:00:00'))).toBe(at('2026-11-23T18:00:00'))
  expect(nextCheck({ ...plan, hours: day }, shanghai, at('2026-11-23T12:00:00'))).toBe(
    at('2026-11-24T09:00:00'),
  )
})
