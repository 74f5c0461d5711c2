import { describe, expect, test } from 'vitest'
import { findCommonLimits, planOpenings, toSendable } from './opening-plan.ts'
import { sampleDevice, sampleState } from './valve-samples.testkit.ts'

const verdictOf = (toPct: number, device = sampleDevice()) =>
  planOpenings([device], new Map([[1, sampleState()]]), toPct)[0]?.verdict

describe('preview', () => {
  test('shows what the valve has and what it would get', () => {
    expect(planOpenings([sampleDevice()], new Map([[1, sampleState()]]), 60)).toMatchObject([
      { fromPct: 35, toPct: 60, verdict: 'change' },
    ])
  })

  test('limits are themselves allowed, one beyond is not', () => {
    expect([verdictOf(5), verdictOf(95)]).toEqual(['change', 'change'])
    expect([verdictOf(4), verdictOf(96)]).toEqual(['outside-limits', 'outside-limits'])
  })

  test('a valve already there is told so and may be sent again', () => {
    expect(verdictOf(35)).toBe('same')
    expect(toSendable(planOpenings([sampleDevice()], new Map([[1, sampleState()]]), 35))).toHaveLength(1)
  })

  test('a valve the user may not control is never sent', () => {
    const plan = planOpenings([sampleDevice({ abilities: [] })], new Map(), 60)
    expect(plan[0]?.verdict).toBe('not-controllable')
    expect(toSendable(plan)).toEqual([])
  })

  test('a valve that never reported has no old opening and may still be set', () => {
    expect(planOpenings([sampleDevice()], new Map(), 60)).toMatchObject([
      { fromPct: undefined, verdict: 'change' },
    ])
  })
})

describe('common limits', () => {
  test('are the narrowest of all', () => {
    const narrow = sampleDevice({ limits: { minPct: 20, maxPct: 60 } })
    expect(findCommonLimits([sampleDevice(), narrow])).toEqual({ minPct: 20, maxPct: 60 })
  })

  test('do not exist when two valves exclude each other', () => {
    const low = sampleDevice({ limits: { minPct: 0, maxPct: 30 } })
    const high = sampleDevice({ limits: { minPct: 40, maxPct: 100 } })
    expect(findCommonLimits([low, high])).toBeUndefined()
  })
})
