import { metre } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { type FrictionLaw, frictionFactor, frictionSlope } from '../elements/friction.ts'
import { WARM_WATER } from '../elements/water.ts'
import { createTreeFriction, guessFriction, startFriction, updateFriction } from './tree-friction.ts'
import { createTreeNetwork, type PipeSpec, SOURCE } from './tree-network.ts'

const DIAMETER_M = 0.1
const ROUGHNESS_M = 0.0005

/** A single pipe, and the state of its friction. */
function createPipe(law: FrictionLaw = 'swamee-jain', changes: Partial<PipeSpec> = {}) {
  const pipe: PipeSpec = {
    parent: SOURCE,
    length: metre(100),
    innerDiameter: metre(DIAMETER_M),
    roughness: metre(ROUGHNESS_M),
    localLoss: 2,
    runs: 2,
    ...changes,
  }
  const outcome = createTreeNetwork([pipe], [], WARM_WATER, law)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  const { network } = outcome
  const state = createTreeFriction(1)
  const scale = network.reynoldsScale[0] ?? 0
  return {
    network,
    state,
    setFlow: (reynolds: number) => {
      state.flow[0] = reynolds / scale
    },
    /** S and its exponent n = d ln S/d ln ṁ at a Reynolds number, from the formulas. */
    exactAt: (reynolds: number) => {
      const relative = pipe.roughness / pipe.innerDiameter
      const factor = frictionFactor(reynolds, relative, law)
      const ofFriction = (network.frictionScale[0] ?? 0) * factor
      const s = ofFriction + (network.localScale[0] ?? 0)
      const n = (frictionSlope(reynolds, relative, law) * reynolds) / factor
      return { s, n: (ofFriction / s) * n, frictionOnly: n }
    },
  }
}

/** The part of a change of S that a step follows: 1/(1 + n/4) by its series. */
const shareOf = (n: number): number => 1 - n / 4 + (n / 4) ** 2

it('follows 1 − n/4 + n²/16 of a change of S in turbulent flow, in both directions', () => {
  for (const error of [-0.2, 0.2]) {
    const { network, state, setFlow, exactAt } = createPipe('swamee-jain', { localLoss: 0 })
    setFlow(20_000)
    const { s, n } = exactAt(20_000)
    expect(n).toBeLessThan(-0.02)
    const before = s * (1 + error)
    state.resistance[0] = before
    updateFriction(network, state, 1e-6)
    const next = state.resistance[0] ?? 0
    // The table has n within a hundredth.
    expect(((next - before) / (s - before) - 1) / (shareOf(n) - 1)).toBeCloseTo(1, 1)
    expect(state.areTabled).toBe(true)
  }
})

it.each<[FrictionLaw, number]>([
  ['swamee-jain', 500],
  ['swamee-jain', 3000],
  ['colebrook', 1000],
  ['colebrook', 20_000],
  ['nikuradse', 1500],
])(
  'follows the same share outside of the table, with n of friction and local loss: %s at Re %d',
  (law, reynolds) => {
    for (const error of [-0.2, 0.2]) {
      const { network, state, setFlow, exactAt } = createPipe(law)
      setFlow(reynolds)
      const { s, n } = exactAt(reynolds)
      const before = s * (1 + error)
      state.resistance[0] = before
      expect(updateFriction(network, state, 1e-6)).toBe(false)
      expect((state.resistance[0] ?? 0) / (before + (s - before) * shareOf(n))).toBeCloseTo(1, 12)
      expect(state.areTabled).toBe(false)
    }
  },
)

it('follows a change once at the very flow from which on the table serves', () => {
  const { network, state, exactAt } = createPipe('swamee-jain', { localLoss: 0 })
  state.flow[0] = network.sweep.minTabled[0] ?? 0
  const { s, n } = exactAt(4000)
  state.resistance[0] = 1.2 * s
  expect(updateFriction(network, state, 1e-6)).toBe(false)
  expect(((state.resistance[0] ?? 0) / s - 1.2) / -0.2).toBeCloseTo(shareOf(n), 3)
})

it('takes the whole change where a share of it would lead to less than half of the new S', () => {
  const { network, state, setFlow, exactAt } = createPipe()
  setFlow(500)
  const { s, n } = exactAt(500)
  // 1 − n/4 + n²/16 is 1.31 in laminar flow: from 2.5·S on to 0.53·S, from 3·S on to 0.37·S.
  const [near, far] = [2.5, 3].map((factor) => {
    state.resistance[0] = factor * s
    updateFriction(network, state, 1e-6)
    return (state.resistance[0] ?? 0) / s
  })
  expect(near).toBeCloseTo(2.5 - 1.5 * shareOf(n), 12)
  expect(near).toBeGreaterThan(0.5)
  expect(far).toBe(1)
})

it('is settled if S is within the tolerance in turbulent flow, and within a quarter of it in laminar flow', () => {
  for (const [reynolds, bound] of [
    [20_000, 1e-3],
    [500, 0.25e-3],
  ] as const) {
    const { network, state, setFlow, exactAt } = createPipe()
    setFlow(reynolds)
    const { s } = exactAt(reynolds)
    const isSettledAt = (error: number): boolean => {
      state.resistance[0] = s * (1 + error)
      return updateFriction(network, state, 1e-3)
    }
    expect([-1.01, -0.99, 0, 0.99, 1.01].map((share) => isSettledAt(share * bound))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  }
})

it('is not settled as long as any pipe is not, wherever it is', () => {
  const pipe: PipeSpec = {
    parent: SOURCE,
    length: metre(100),
    innerDiameter: metre(DIAMETER_M),
    roughness: metre(ROUGHNESS_M),
    localLoss: 2,
    runs: 2,
  }
  const outcome = createTreeNetwork([pipe, { ...pipe, parent: 0 }], [], WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  const { network } = outcome
  const state = createTreeFriction(2)
  const scale = network.reynoldsScale[0] ?? 0
  // One pipe is turbulent and the other laminar, in either order; one of them is off.
  for (const flows of [
    [20_000, 500],
    [500, 20_000],
  ])
    for (const off of [0, 1]) {
      state.flow.set(flows.map((reynolds) => reynolds / scale))
      startFriction(network, state)
      expect(updateFriction(network, state, 1e-9)).toBe(true)
      state.resistance[off] = (state.resistance[off] ?? 0) * 1.5
      expect(updateFriction(network, state, 1e-9)).toBe(false)
    }
})

it('starts with S at the present flow, and at a typical speed of 0.5 m/s without flow', () => {
  const { network, state, setFlow, exactAt } = createPipe()
  const typical = exactAt((0.5 * WARM_WATER.densityKgM3 * DIAMETER_M) / WARM_WATER.viscosityPaS).s
  for (const reynolds of [500, 3000, 20_000]) {
    setFlow(reynolds)
    startFriction(network, state)
    expect((state.resistance[0] ?? 0) / exactAt(reynolds).s).toBeCloseTo(1, 11)
  }
  guessFriction(network, state)
  expect((state.resistance[0] ?? 0) / typical).toBeCloseTo(1, 12)
  setFlow(0)
  state.resistance[0] = 1
  startFriction(network, state)
  expect((state.resistance[0] ?? 0) / typical).toBeCloseTo(1, 12)
  // Still water changes nothing and is settled.
  expect(updateFriction(network, state, 0)).toBe(true)
  expect((state.resistance[0] ?? 0) / typical).toBeCloseTo(1, 12)
})

it('solves a smooth pipe, which has no place in the table, by the same law', () => {
  const { network, state, setFlow, exactAt } = createPipe('swamee-jain', { roughness: metre(0) })
  setFlow(50_000)
  startFriction(network, state)
  expect(state.areTabled).toBe(false)
  expect((state.resistance[0] ?? 0) / exactAt(50_000).s).toBeCloseTo(1, 12)
})

it('has no resistance in a pipe without length and local loss', () => {
  const { network, state, setFlow } = createPipe('colebrook', { length: metre(0), localLoss: 0 })
  setFlow(500)
  startFriction(network, state)
  expect(state.resistance[0]).toBe(0)
  expect(updateFriction(network, state, 1e-9)).toBe(true)
})
