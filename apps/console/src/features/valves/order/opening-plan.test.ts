import { describe, expect, test } from 'vitest'
import { NOW, sampleDevice, sampleHold, sampleState } from '../../../shared/devices/valve-samples.testkit.ts'
import { countVerdicts, findCommonLimits, planOpenings, toSendable } from './opening-plan.ts'

const states = new Map([[1, sampleState()]])
const nothing = { refused: [], ends: [] }

describe('preview', () => {
  test('shows the current and the new opening', () => {
    expect(planOpenings([sampleDevice()], states, 60, nothing)).toMatchObject([
      { fromPct: 35, toPct: 60, verdict: 'change' },
    ])
  })

  test('a refused valve is not sent, and its item has the refusal', () => {
    const hold = sampleHold({ priority: 'emergency', until: NOW + 1_000 })
    const refused = [{ deviceId: 1, reason: 'held' as const, hold }]
    const plan = planOpenings([sampleDevice()], states, 60, { refused, ends: [] })
    expect(plan).toMatchObject([{ verdict: 'held', refusal: { hold: { actor: hold.actor } } }])
    expect(toSendable(plan)).toEqual([])
  })

  test('a valve whose hold would end is sent, and its item has that hold', () => {
    const [item] = planOpenings([sampleDevice()], states, 60, { refused: [], ends: [sampleHold()] })
    expect(item).toMatchObject({ verdict: 'change', ends: { actor: 'dispatcher' } })
  })

  test('a valve already at the target has the verdict same and may be sent again', () => {
    const plan = planOpenings([sampleDevice()], states, 35, nothing)
    expect(plan[0]?.verdict).toBe('same')
    expect(toSendable(plan)).toHaveLength(1)
  })

  test('a valve the user may not control is never sent', () => {
    const plan = planOpenings([sampleDevice({ abilities: [] })], new Map(), 60, nothing)
    expect(plan[0]?.verdict).toBe('not-controllable')
    expect(toSendable(plan)).toEqual([])
  })

  test('a valve that never reported has no current opening and may be set', () => {
    expect(planOpenings([sampleDevice()], new Map(), 60, nothing)).toMatchObject([
      { fromPct: undefined, verdict: 'change' },
    ])
  })

  test('verdicts that are sent are counted first', () => {
    const devices = [1, 2, 3].map((id) => sampleDevice({ id }))
    const refused = [{ deviceId: 2, reason: 'too-far' as const, minPct: 20, maxPct: 50 }]
    const plan = planOpenings(devices, states, 60, { refused, ends: [] })
    expect(countVerdicts(plan)).toEqual([
      ['change', 2],
      ['too-far', 1],
    ])
  })
})

describe('common limits', () => {
  test('are the narrowest range', () => {
    const narrow = sampleDevice({ limits: { minPct: 20, maxPct: 60 } })
    expect(findCommonLimits([sampleDevice(), narrow])).toEqual({ minPct: 20, maxPct: 60 })
  })

  test('do not exist when two valves exclude each other', () => {
    const low = sampleDevice({ limits: { minPct: 0, maxPct: 30 } })
    const high = sampleDevice({ limits: { minPct: 40, maxPct: 100 } })
    expect(findCommonLimits([low, high])).toBeUndefined()
  })
})
