import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { findOverClosed, type OverClosedOrder } from './find-over-closed.ts'

/** One consumer whose valve closes from 90 to 50 %: 1 kg/s before, 0.65 kg/s planned, at least 0.6 kg/s for its rooms. */
const order = (afterKgS: number, changes: Partial<OverClosedOrder> = {}): OverClosedOrder => ({
  moves: [{ consumer: 0, from: 0.9, to: 0.5 }],
  minShare: [0.6],
  sigma: 0.035,
  beforeKgS: Float64Array.of(1),
  afterKgS: Float64Array.of(afterKgS),
  modelBeforeKgS: Float64Array.of(0.8),
  modelAfterKgS: Float64Array.of(0.52),
  modelStayedKgS: () => 0.8,
  ...changes,
})

test('a valve that closed further than planned, and too far for its rooms, opens again as far as planned', () => {
  const [move] = findOverClosed(order(0.45))
  expect(move).toMatchObject({ consumer: 0, from: 0.5 })
  // ln(0.65/0.45)/ln(1/0.45) of its travel.
  expect(move?.to).toBeCloseTo(0.5 + 0.4605 * 0.4, 4)
})

test('nothing opens again that is as planned, that leaves its rooms enough, that opened or that shows no flow', () => {
  expect(findOverClosed(order(0.61))).toEqual([])
  expect(findOverClosed(order(0.45, { minShare: [0.4] }))).toEqual([])
  expect(findOverClosed(order(0.5, { modelAfterKgS: Float64Array.of(0.42) }))).toEqual([])
  expect(findOverClosed(order(0.45, { moves: [{ consumer: 0, from: 0.4, to: 0.5 }] }))).toEqual([])
  expect(findOverClosed(order(Number.NaN))).toEqual([])
})

test('a valve that should have more flow in spite of its closing has the flow before; one without any flow goes back whole', () => {
  const gaining = { modelAfterKgS: Float64Array.of(1), modelStayedKgS: () => 1.2 }
  // At most the flow before: ln(1/0.5)/ln(1.5/0.5) of its travel.
  expect(findOverClosed(order(0.5, gaining))[0]?.to).toBeCloseTo(0.5 + 0.6309 * 0.4, 4)
  expect(findOverClosed(order(0))[0]?.to).toBeCloseTo(0.9)
})

test('the part of a loss that is due to the head is not counted as the response of the valve', () => {
  // The head leaves 0.8 of the flow and the valve 0.75 of that, instead of 0.875: ln(0.7/0.6)/ln(0.8/0.6) of its travel.
  const [move] = findOverClosed(
    order(0.6, {
      minShare: [0.65],
      modelAfterKgS: Float64Array.of(0.56),
      modelStayedKgS: () => 0.64,
    }),
  )
  expect(move?.to).toBeCloseTo(0.5 + 0.5358 * 0.4, 4)
})

test('a valve whose closing is too small to be seen is not the cause of a loss', () => {
  const small = {
    moves: [{ consumer: 0, from: 0.9, to: 0.88 }],
    minShare: [1],
    sigma: 0.015,
    modelAfterKgS: Float64Array.of(0.8 * 0.97),
  }
  expect(findOverClosed(order(0.88, { ...small, modelStayedKgS: () => 0.8 * 0.99 }))).toEqual([])
  expect(findOverClosed(order(0.88, { ...small, modelStayedKgS: () => 0.8 * 1.02 }))).toHaveLength(1)
})

test('a valve that could not give what its rooms need gives back only what it closed too far', () => {
  // Without its closing 0.8 of the flow were left, but the rooms need 0.9: ln(0.65/0.45)/ln(0.8/0.45) of its travel.
  const [move] = findOverClosed(order(0.45, { minShare: [0.9], modelStayedKgS: () => 0.64 }))
  expect(move?.to).toBeCloseTo(0.5 + 0.6391 * 0.4, 4)
})

const kvs = flowCoefficient(10)
const valves: readonly ValveCharacteristic[] = [
  { kind: 'equal-percentage', kvs, rangeability: 40 },
  { kind: 'linear', kvs },
  { kind: 'quick-opening', kvs },
]

test.each(valves)(
  'a $kind valve then has at least the planned flow, with any authority and head',
  (valve) => {
    for (const authority of [0.1, 0.3, 0.6, 0.9]) {
      const resistance = (opening: number): number =>
        valveResistance(kvAtOpening(valve, openingRatio(opening)), 985)
      const circuit = resistance(1) * (1 / authority - 1)
      const flowAt = (opening: number, head = 1): number => Math.sqrt(head / (circuit + resistance(opening)))
      const [from, to] = [0.9, 0.2]
      for (const head of [0.7, 1, 1.3]) {
        const stayed = flowAt(from, head) / flowAt(from)
        const share = flowAt(to, head) / flowAt(from)
        for (const part of [0.2, 0.5, 0.8]) {
          const planned = Math.min(1, stayed * (share / stayed) ** part)
          const [move] = findOverClosed(
            order(share, {
              moves: [{ consumer: 0, from, to }],
              minShare: [planned],
              modelAfterKgS: Float64Array.of(0.8 * planned),
              modelStayedKgS: () => 0.8 * stayed,
              sigma: 0,
            }),
          )
          expect(flowAt(move?.to ?? 0, head) / flowAt(from)).toBeGreaterThanOrEqual(planned * (1 - 1e-9))
        }
      }
    }
  },
)
