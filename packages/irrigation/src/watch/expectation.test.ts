import { createRandom } from '@isotherm/kernel/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLineBroken, judgeFlow, learnFlow, MIN_SAMPLES } from './expectation.ts'

describe('the stated flow, before five waterings', () => {
  it('is the expectation, with wide limits', () => {
    const expected = learnFlow(10, [7, 7.1])
    expect(expected).toEqual({ flowM3H: 10, lowM3H: 6, highM3H: 15, learnedFrom: 0 })
    expect([0.5, 5, 10, 16].map((flow) => judgeFlow(flow, expected))).toEqual([
      'no-flow',
      'low-flow',
      undefined,
      'high-flow',
    ])
  })
})

describe('the learned flow', () => {
  it('is the median of the last waterings, with limits of at least 15 %', () => {
    const expected = learnFlow(10, [7, 7.1, 6.9, 7, 7])
    expect(expected.flowM3H).toBe(7)
    expect(expected.lowM3H).toBeCloseTo(5.95, 9)
    // Of four equal valves one stays shut: the stated flow would not have shown it.
    expect(judgeFlow(5.25, expected)).toBe('low-flow')
    expect(judgeFlow(5.25, learnFlow(8, []))).toBeUndefined()
  })

  it('is changed neither by single wrong waterings nor by how wrong they are', () => {
    const flows = [7, 7.1, 6.9, 7, 7.05, 6.95, 7.02]
    expect(learnFlow(10, [...flows, 70]).flowM3H).toBe(learnFlow(10, [...flows, 7.5]).flowM3H)
    expect(learnFlow(10, [...flows, 70]).highM3H).toBeLessThan(8.2)
  })

  it('never finds a fault in a steady season, and always finds a closed valve of four and a broken line', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 1, max: 60, noNaN: true }),
        fc.double({ min: 0.65, max: 1.45, noNaN: true }),
        (seed, statedM3H, share) => {
          const random = createRandom(seed)
          const trueM3H = statedM3H * share
          /** A meter of class 2 at a pressure that changes by a few percent. */
          const measure = () => trueM3H * (1 + 0.06 * (random() - 0.5))
          const history: number[] = []
          for (let watering = 0; watering < 60; watering++) {
            const flow = measure()
            expect(judgeFlow(flow, learnFlow(statedM3H, history))).toBeUndefined()
            history.unshift(flow)
          }
          const expected = learnFlow(statedM3H, history)
          expect(judgeFlow(0.78 * trueM3H, expected)).toBe('low-flow')
          expect(judgeFlow(1.3 * trueM3H, expected)).toBe('high-flow')
          expect(judgeFlow(0, expected)).toBe('no-flow')
        },
      ),
      { numRuns: 200 },
    )
  })

  it('has limits that contain every learned flow but the widest, for any flows', () => {
    const flows = fc.array(fc.double({ min: 0.1, max: 100, noNaN: true }), { minLength: MIN_SAMPLES })
    fc.assert(
      fc.property(flows, (given) => {
        const { lowM3H, flowM3H, highM3H } = learnFlow(10, given)
        expect(lowM3H).toBeGreaterThanOrEqual(0.6 * flowM3H - 1e-9)
        expect(lowM3H).toBeLessThanOrEqual(0.85 * flowM3H + 1e-9)
        expect(highM3H - flowM3H).toBeCloseTo(flowM3H - lowM3H, 9)
      }),
    )
  })
})

it('calls a line broken when more leaves the pump than reaches the valves, beyond what meters differ', () => {
  const expected = learnFlow(20, [])
  expect(isLineBroken(2.9, 0.2, expected)).toBe(false)
  expect(isLineBroken(3.1, 0.2, expected)).toBe(true)
  expect(isLineBroken(3.1, 5, expected)).toBe(false)
})
