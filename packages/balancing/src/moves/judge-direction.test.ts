import { createRandom } from '@isotherm/kernel/random'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Direction, judgeDirection, type OpeningAnswer } from './judge-direction.ts'

const TOLERANCE_PCT = 3

/** Answers to orders in turn: what the valve reports of each. */
function answer(
  orders: readonly number[],
  report: (orderedPct: number) => number,
  firstPct: number | null = null,
): OpeningAnswer[] {
  let beforePct = firstPct
  return orders.map((orderedPct) => {
    const reportedPct = report(orderedPct)
    const given = { orderedPct, beforePct, reportedPct }
    beforePct = reportedPct
    return given
  })
}

const inverted = (orderedPct: number): number => 100 - orderedPct
const judge = (answers: readonly OpeningAnswer[]): Direction => judgeDirection(answers, TOLERANCE_PCT)

describe('a valve that reports 100 − p', () => {
  it('is found by two different orders, within the tolerance of a confirmation', () => {
    expect(judge(answer([30, 20], inverted))).toBe('inverted')
    expect(judge(answer([30, 20], (ordered) => inverted(ordered) + 3))).toBe('inverted')
    expect(judge(answer([30, 20], (ordered) => inverted(ordered) + 3.1))).toBe('usual')
  })

  it('is only suspected after one order, the same one again, or two that are nearly the same', () => {
    expect(judge([])).toBe('usual')
    expect(judge(answer([30], inverted))).toBe('suspected')
    expect(judge(answer([30, 50, 30], inverted))).toBe('suspected')
    expect(judge(answer([30, 23, 30], inverted))).toBe('suspected')
    expect(judge(answer([30, 22], inverted))).toBe('inverted')
  })

  it('is not suspected by orders near 50 %, which 100 − p is near too, but they show that reports go against orders', () => {
    expect(judge(answer([41, 59], inverted))).toBe('usual')
    expect(judge(answer([40, 60], inverted))).toBe('inverted')
    expect(judge(answer([26, 50, 24], inverted))).toBe('inverted')
  })

  it('is not found by the ends of travel, but they do not clear it', () => {
    expect(judge(answer([0, 100], inverted))).toBe('usual')
    expect(judge(answer([100, 30], inverted))).toBe('suspected')
    expect(judge(answer([100, 30, 0, 20], inverted))).toBe('inverted')
  })

  it('is not suspected if one order was answered otherwise', () => {
    const other = { orderedPct: 25, beforePct: null, reportedPct: 60 }
    expect(judge([other, ...answer([30, 20], inverted)])).toBe('usual')
    expect(judge([...answer([30, 20], inverted), other])).toBe('usual')
  })

  it('is cleared by a confirmed order far from 50 %, and only orders since then count', () => {
    const wrong = answer([30, 20], inverted)
    const repaired = { orderedPct: 30, beforePct: 80, reportedPct: 32 }
    const near50 = { orderedPct: 50, beforePct: 80, reportedPct: 50 }
    expect(judge([...wrong, repaired])).toBe('usual')
    expect(judge([...wrong, { ...near50, orderedPct: 54, reportedPct: 54 }])).toBe('usual')
    expect(judge([...wrong, near50])).toBe('inverted')
    expect(judge([repaired, ...wrong])).toBe('inverted')
    expect(judge([...answer([30], inverted), repaired, ...answer([20], inverted)])).toBe('suspected')
  })
})

test('a report that did not change is no evidence: a blocked valve, or one that is a command late', () => {
  expect(judge(answer([30], () => 70, 70))).toBe('usual')
  const late = [
    { orderedPct: 70, beforePct: 30, reportedPct: 30 },
    { orderedPct: 30, beforePct: 70, reportedPct: 70 },
  ]
  expect(judge(late)).toBe('usual')
})

const orders = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 12 })

test('no valve that follows its orders is found, whatever the offset, gain, backlash and noise of its feedback', () => {
  // Around the one order at which 100 − p is what a valve with this offset reports.
  const feedback = fc.record({
    at: fc.integer({ min: 5, max: 95 }),
    offset: fc.double({ min: -6, max: 6, noNaN: true }),
    apart: fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 2, maxLength: 8 }),
    gain: fc.double({ min: 0.8, max: 1.2, noNaN: true }),
    backlash: fc.double({ min: 0, max: 2, noNaN: true }),
    noise: fc.double({ min: 0, max: 2.5, noNaN: true }),
    seed: fc.nat(),
  })
  fc.assert(
    fc.property(feedback, ({ at, offset, apart, gain, backlash, noise, seed }) => {
      const random = createRandom(seed)
      let stem = 50
      const report = (orderedPct: number): number => {
        stem = Math.min(orderedPct + backlash / 2, Math.max(orderedPct - backlash / 2, stem))
        const shown = 100 - at + gain * (stem - at) + offset + noise * (2 * random() - 1)
        return Math.min(100, Math.max(0, Math.round(shown)))
      }
      const ordered = apart.map((by) => Math.min(100, Math.max(0, at + by)))
      expect(judge(answer(ordered, report, 50))).not.toBe('inverted')
    }),
    { numRuns: 5_000 },
  )
})

/** More noise may look like two answers: reports within 2 points of each other differ by less than orders 8 points apart need. */
test('no blocked valve is found, wherever it stands, if the noise of its feedback is 1 point or less', () => {
  const stays = fc.record({
    at: fc.double({ min: 0, max: 100, noNaN: true }),
    noise: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(),
  })
  fc.assert(
    fc.property(orders, stays, (ordered, { at, noise, seed }) => {
      const random = createRandom(seed)
      const report = (): number => Math.min(100, Math.max(0, Math.round(at + noise * (2 * random() - 1))))
      expect(judge(answer(ordered, report, null))).not.toBe('inverted')
    }),
    { numRuns: 5_000 },
  )
})

test('every inverted valve is found by two different orders between 1 and 40 %', () => {
  const order = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(order, order, (one, other) => {
      fc.pre(Math.abs(one - other) >= 8)
      expect(judge(answer([one, other], inverted))).toBe('inverted')
    }),
  )
})
