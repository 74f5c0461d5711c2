import { expect, test } from 'vitest'
import { toConsumer } from '../loop/consumer.testkit.ts'
import type { Loop } from '../loop/loop.ts'
import { toBalanceNow } from '../now/balance-now.ts'

const loop: Loop = {
  station: { deviceId: 9, path: '/1/', periodS: 600 },
  areas: [],
  pipes: [],
  consumers: [toConsumer(1, 'radiator'), toConsumer(2, 'floor'), toConsumer(3, 'fan-coil')],
}

const tickAt = (returnsC: readonly number[]) =>
  toBalanceNow(loop, Float64Array.of(500, 1_000, 500), new Map(), (deviceId) => ({
    deviceId,
    ts: 1,
    quality: 0,
    metrics: { 'temp.supply': 45, 'temp.return': returnsC[deviceId - 1] ?? 40 },
  }))

test('a loop of floors and radiators is balanced if floors return a kelvin colder', () => {
  const { indices, meanReturnC, valves } = tickAt([40, 39, 40])
  expect(indices.sigmaReturnK).toBeCloseTo(0, 9)
  expect(indices).toMatchObject({ withinHalfK: 1 })
  expect(meanReturnC).toBeCloseTo(39.5, 9)
  for (const { deviationK } of valves) expect(deviationK).toBeCloseTo(0, 9)
})

test('a floor whose return is as warm as that of radiators is too warm', () => {
  const { indices, valves } = tickAt([40, 40, 40])
  // Errors 0, 1, 0 with areas 1 : 2 : 1.
  expect(indices.sigmaReturnK).toBeCloseTo(0.5, 9)
  expect(valves.map(({ deviationK }) => deviationK)).toEqual([-0.5, 0.5, -0.5])
})
