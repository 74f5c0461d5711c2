import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createFindTrusted } from './trusted-readings.ts'
import { watchUnmeasured } from './unmeasured.ts'

const settings = { name: '泵房', capacityM3H: 10, leadS: 0, groupDelayS: 0, afterOutage: 'skip' as const }
const [STATION, METER] = [1, 2]
const place = { nodeId: 5, path: '/1/5/', tenant: 'demo' }

type Value = readonly [value: number, ts: number, quality: number]

/** Whether a source with these settings and newest values has lost a measurement at an instant. */
function isLost(
  given: object,
  values: Readonly<Record<string, Value>>,
  now: number,
  periodS?: number,
): boolean {
  const findReading = createFindTrusted((id, metric) => {
    const found = values[`${id} ${metric}`]
    return found && { value: found[0], ts: found[1], quality: found[2] }
  })
  const source = { ...place, settings: { ...settings, ...given } }
  return watchUnmeasured({ findReading, findPeriodS: () => periodS })([source], now).length > 0
}

test('of a controller with both pressures only the one before the pump is its measurement', () => {
  const given = { stationId: STATION, minInletKpa: 20 }
  const both = (returnAt: number, bits = 0): Readonly<Record<string, Value>> => ({
    '1 pressure.return': [50, returnAt, bits],
    '1 pressure.supply': [400, 2 * HOUR_MS, 0],
  })
  expect(isLost(given, both(2 * HOUR_MS), 2 * HOUR_MS)).toBe(false)
  expect(isLost(given, both(2 * HOUR_MS, quality.sensorFault), 2 * HOUR_MS)).toBe(true)
  expect(isLost(given, both(0), 2 * HOUR_MS)).toBe(true)
  // Without a least pressure nothing is protected by it.
  expect(isLost({ stationId: STATION }, both(0), 2 * HOUR_MS)).toBe(false)
})

test('a meter that reports each two hours has lost nothing until it misses three reports', () => {
  const values = { '2 heat.flow': [7, 0, 0] } as const
  const atHour = (hour: number, periodS?: number) =>
    isLost({ meterId: METER }, values, hour * HOUR_MS + 1, periodS)
  expect([atHour(1), atHour(1, 900)]).toEqual([true, true])
  expect([atHour(1, 7_200), atHour(6, 7_200), atHour(6.02, 7_200)]).toEqual([false, false, true])
})

/** In each minute, whether the flow meter of a source is lost whose values come at the stated minutes. */
function listLostMinutes(valueMinutes: readonly number[], minutes: number, periodS: number): number[] {
  let now = 0
  const list = watchUnmeasured({
    findReading: (_, metric) => {
      const at = valueMinutes.findLast((minute) => minute * MINUTE_MS <= now)
      return metric === 'heat.flow' && at !== undefined ? { value: 7, ts: at * MINUTE_MS } : undefined
    },
    findPeriodS: () => periodS,
  })
  const sources = [{ ...place, settings: { ...settings, meterId: METER } }]
  return Array.from({ length: minutes }, (_, minute) => minute).filter((minute) => {
    now = minute * MINUTE_MS
    return list(sources, now).length > 0
  })
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const each = (step: number, to: number) => range(0, to).filter((minute) => minute % step === 0)

test('a meter that gives a value more rarely than its period says is lost all the time: no two of them show a leak', () => {
  for (const step of [6, 20, 50]) expect(listLostMinutes(each(step, 200), 200, 60)).toEqual(range(6, 200))
  expect(listLostMinutes(each(5, 200), 200, 60)).toEqual([])
  // Its period may take as long.
  for (const step of [6, 20, 46]) expect(listLostMinutes(each(step, 200), 200, 900)).toEqual([])
  expect(listLostMinutes(each(50, 200), 200, 900)).toEqual(range(47, 200))
})

test('a meter that was lost measures again when its values have come for as long as a leak must last', () => {
  expect(listLostMinutes([...range(0, 10), ...range(30, 60)], 60, 60)).toEqual(range(15, 32))
  // Two values each seven minutes are not enough.
  const twice = each(7, 60).flatMap((minute) => [minute, minute + 1])
  expect(listLostMinutes(twice, 60, 60)).toEqual(range(7, 60))
})
