import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createFindTrusted } from './trusted-readings.ts'
import { listUnmeasured } from './unmeasured.ts'

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
  return listUnmeasured({ findReading, findPeriodS: () => periodS, now }, [source]).length > 0
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
  expect([atHour(1, 7_200), atHour(5, 7_200), atHour(6, 7_200)]).toEqual([false, false, true])
})
