import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { type FrictionLaw, frictionFactor } from '../elements/friction.ts'
import type { PumpCurve } from '../elements/pump.ts'
import { WARM_WATER } from '../elements/water.ts'
import { writeLosses } from './link-loss.ts'
import { createNetwork } from './network.ts'
import type { LinkSpec } from './network-spec.ts'
import { createNetworkState } from './solve-network.ts'

/** One link between two given pressures, and its loss and slope at a flow. */
function createLink(link: LinkSpec, friction: FrictionLaw = 'swamee-jain') {
  const node = { height: metre(0), pressure: pascalGauge(0), demand: kilogramPerSecond(0) }
  const outcome = createNetwork({ nodes: [node, node], links: [link], fluid: WARM_WATER, friction })
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  const { network } = outcome
  const state = createNetworkState(network)
  return {
    network,
    state,
    at: (flow: number): readonly [loss: number, slope: number] => {
      state.linkFlow[0] = flow
      writeLosses(network, state)
      return [state.linkLoss[0] ?? Number.NaN, state.linkSlope[0] ?? Number.NaN]
    },
  }
}

const resistor = (s: number): LinkSpec => ({ kind: 'resistor', from: 0, to: 1, resistance: resistance(s) })
const pump = (curve: PumpCurve, speed: number): LinkSpec => ({ kind: 'pump', from: 0, to: 1, curve, speed })
const pipe = (roughnessM: number, localLoss: number): LinkSpec => ({
  kind: 'pipe',
  from: 0,
  to: 1,
  length: metre(100),
  innerDiameter: metre(0.1),
  roughness: metre(roughnessM),
  localLoss,
})

it('loses S·ṁ·|ṁ| in a resistor: 400 Pa at S 100 and 2 kg/s, with a slope of 2·S·|ṁ|', () => {
  const { at } = createLink(resistor(100))
  expect(at(2)).toEqual([400, 400])
  expect(at(-2)).toEqual([-400, 400])
})

it('is linear in a resistor up to 0.001 kg/s', () => {
  const { at } = createLink(resistor(100))
  expect(at(0)).toEqual([0, 0.1])
  expect(at(5e-4)).toEqual([expect.closeTo(5e-5, 15), 0.1])
  expect(at(-5e-4)).toEqual([expect.closeTo(-5e-5, 15), 0.1])
  expect(at(1e-3)).toEqual([expect.closeTo(1e-4, 15), 0.1])
  expect(at(1.1e-3)).toEqual([expect.closeTo(1.21e-4, 15), expect.closeTo(0.22, 12)])
})

it('has a slope of 0.001 Pa/(kg/s) where nothing is lost, so that the equations have a solution', () => {
  expect(createLink(resistor(0)).at(2)).toEqual([0, 1e-3])
  expect(createLink(pump({ h0: 1000, h1: 0, h2: 0 }, 1)).at(2)).toEqual([-1000, 1e-3])
})

it('adds the head of a pump: h0 1000, h1 −10, h2 5 at half speed add 250 − 10 − 20 = 220 Pa to 2 kg/s', () => {
  const { at } = createLink(pump({ h0: 1000, h1: -10, h2: 5 }, 0.5))
  expect(at(2)).toEqual([-220, 25])
  // Backwards the terms of the flow add to the head.
  expect(at(-2)).toEqual([-280, 25])
  // Beyond the run-out flow it is a resistance: 5·100 + 5·10 − 250.
  expect(at(10)).toEqual([300, 105])
})

it.each<FrictionLaw>(['swamee-jain', 'colebrook', 'nikuradse'])(
  'loses (frictionScale·λ + local)·ṁ·|ṁ| in a pipe, and the same backwards: %s',
  (law) => {
    const { network, at } = createLink(pipe(5e-4, 4), law)
    const scale = network.reynoldsScale[0] ?? 0
    for (const reynolds of [8, 100, 1500, 3000, 5000, 1e5]) {
      const flow = reynolds / scale
      const s =
        (network.frictionScale[0] ?? 0) * frictionFactor(reynolds, 0.005, law) + (network.resistance[0] ?? 0)
      const [loss, slope] = at(flow)
      expect(loss / (s * flow * flow)).toBeCloseTo(1, 12)
      expect(at(-flow)).toEqual([-loss, slope])
    }
  },
)

it.each<FrictionLaw>(['swamee-jain', 'colebrook', 'nikuradse'])(
  'has the slope of the loss of a pipe by its flow: %s',
  (law) => {
    const { network, at } = createLink(pipe(5e-4, 4), law)
    const scale = network.reynoldsScale[0] ?? 0
    for (const reynolds of [20, 100, 1500, 3000, 5000, 1e5]) {
      const flow = reynolds / scale
      const quotient = (at(flow * 1.00001)[0] - at(flow * 0.99999)[0]) / (0.00002 * flow)
      expect(at(flow)[1] / quotient).toBeCloseTo(1, 6)
    }
  },
)

it('is laminar and linear in a pipe below Re 8, where λ itself is held: Δp = frictionScale·64/Re·ṁ²', () => {
  const { network, at } = createLink(pipe(5e-4, 0))
  const scale = network.reynoldsScale[0] ?? 0
  const laminar = ((network.frictionScale[0] ?? 0) * 64) / scale
  for (const reynolds of [0.1, 2, 7.9]) {
    const flow = reynolds / scale
    expect(at(flow)[0] / flow).toBeCloseTo(laminar, 9)
    expect(at(-flow)[0]).toBe(-at(flow)[0])
  }
  // Without flow the loss is zero and its slope is not.
  expect(at(0)[0]).toBe(0)
  expect(at(0)[1]).toBeCloseTo(laminar, 12)
})

it.each<FrictionLaw>(['swamee-jain', 'nikuradse'])('has no jump of the loss at Re 8: %s', (law) => {
  const { network, at } = createLink(pipe(5e-4, 4), law)
  const flow = 8 / (network.reynoldsScale[0] ?? 0)
  expect(at(flow * (1 - 1e-12))[0] / at(flow)[0]).toBeCloseTo(1, 10)
})

it('leaves loss and slope of a link without flow as they are', () => {
  const { state, at } = createLink(resistor(100))
  state.linkLoss[0] = 7
  state.linkSlope[0] = 8
  state.isStill[0] = 1
  expect(at(2)).toEqual([7, 8])
})
