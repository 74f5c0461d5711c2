import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, pascal, resistance } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import {
  consumerS,
  createLoop,
  type LoopModel,
  pathLosses,
  pipeS,
  scaleCircuits,
  scalePipes,
  sumFlows,
  valveS,
} from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { addOuter, invertDefinite, multiply } from '../numeric/dense-matrix.ts'
import { type IdentificationPrior, identifyLoop, USUAL_PRIOR } from './identify-loop.ts'
import { type HydraulicSnapshot, identifyFromSnapshot, pinToSnapshot } from './identify-snapshot.ts'

const COUNT = 40
const HEAD = 200_000
const recorded = createSampleLoop(COUNT)
const random = createRandom(5)
const lognormal = (count: number, sigma: number): Float64Array =>
  Float64Array.from({ length: count }, () => Math.exp(sampleNormal(random, 0, sigma)))
const mainsFactor = lognormal(recorded.network.pipeCount, 0.3)
const real: LoopModel = {
  ...scaleCircuits(scalePipes(recorded, mainsFactor), lognormal(COUNT, 0.3)),
  valves: recorded.valves.map(() => ({
    kind: 'equal-percentage',
    kvs: flowCoefficient(16 * Math.exp(sampleNormal(random, 0, 0.1))),
    rangeability: 40 * Math.exp(sampleNormal(random, 0, 0.2)),
  })),
}
const head = { kind: 'head', head: pascal(HEAD) } as const
const take = (openings: Float64Array) => ({
  headPa: HEAD,
  flowKgS: solveLoop(real, openings, head).flowKgS,
  openings,
})
const prior = { ...USUAL_PRIOR, flow: filled(COUNT, 0.01), headPa: 500 }
const generateOpenings = () => Float64Array.from({ length: COUNT }, () => 0.4 + 0.6 * random())
const rms = (model: LoopModel, openings: Float64Array): number => {
  const truth = solveLoop(real, openings, head).flowKgS
  const guess = solveLoop(model, openings, head).flowKgS
  return Math.sqrt(guess.reduce((sum, flow, i) => sum + Math.log(flow / (truth[i] ?? 1)) ** 2, 0) / COUNT)
}
const first = take(generateOpenings())
const elsewhere = generateOpenings()

test('a loop that matches its records is identified as recorded', () => {
  const own = { headPa: HEAD, flowKgS: solveLoop(recorded, elsewhere, head).flowKgS, openings: elsewhere }
  const found = identifyLoop(recorded, [own], prior)
  for (const { value } of found.mains) expect(value).toBeCloseTo(1, 2)
  for (const { value } of [...found.circuit, ...found.kvs, ...found.slope])
    expect(Math.abs(value)).toBeLessThan(0.02)
})

test('with one snapshot, priors predict other openings better than the closed form', () => {
  const closed = identifyFromSnapshot(recorded, first).model
  const likely = pinToSnapshot(identifyLoop(recorded, [first], prior).model, first)
  expect(rms(likely, first.openings)).toBeLessThan(1e-4)
  expect(rms(likely, elsewhere)).toBeLessThan(0.7 * rms(closed, elsewhere))
})

test('each snapshot with other openings improves the prediction until little error is left', () => {
  const more = Array.from({ length: 7 }, () => take(generateOpenings()))
  const at = (count: number) =>
    rms(identifyLoop(recorded, [first, ...more.slice(0, count)], prior).model, elsewhere)
  const [one, three, eight] = [at(0), at(2), at(7)]
  expect(three).toBeLessThan(0.7 * one)
  expect(eight).toBeLessThan(three)
  expect(eight).toBeLessThan(0.02)
})

test('one snapshot identifies few valve curves; several with other openings identify most', () => {
  const one = identifyLoop(recorded, [first], prior)
  expect(one.slope.filter(({ isIdentified }) => isIdentified).length).toBeLessThan(COUNT / 4)
  const eight = identifyLoop(
    recorded,
    [first, ...Array.from({ length: 7 }, () => take(generateOpenings()))],
    prior,
  )
  expect(eight.slope.filter(({ isIdentified }) => isIdentified).length).toBeGreaterThan(COUNT / 2)
  expect(eight.kvs.filter(({ isIdentified }) => isIdentified).length).toBeGreaterThan(COUNT / 2)
})

test('true values are nearly always within two of the reported standard deviations', () => {
  const found = identifyLoop(recorded, [first, take(generateOpenings()), take(generateOpenings())], prior)
  const inside = found.mains.filter(
    ({ value, sigma }, pipe) => Math.abs(value - (mainsFactor[pipe] ?? 1)) < 2 * sigma,
  )
  expect(inside.length / found.mains.length).toBeGreaterThan(0.9)
})

test('a consumer without flow stays as recorded and is reported as not identified', () => {
  const flowKgS = first.flowKgS.slice()
  flowKgS[3] = 0
  const found = identifyLoop(recorded, [{ ...first, flowKgS }], prior)
  expect(found.circuit[3]).toEqual({ value: 0, sigma: prior.circuit, isIdentified: false })
})

/**
 * A loop with a branch: pipe 0 from the station, 1 and 2 behind it; consumer 0 at the station, 1 at pipe 1, 2 and 3 at
 * pipe 2.
 */
function createBranches(): LoopModel {
  const pipes = [SOURCE, 0, 0].map((parent, pipe) => ({
    parent,
    length: metre(60 + 40 * pipe),
    innerDiameter: metre(0.06),
    roughness: metre(0.0005),
    localLoss: 3,
    runs: 2,
  }))
  const circuits = [SOURCE, 1, 2, 2].map((node, i) => ({ node, resistance: resistance(9000 + 3000 * i) }))
  const valve = { kind: 'equal-percentage', kvs: flowCoefficient(10), rangeability: 30 } as const
  const outcome = createLoop(
    pipes,
    circuits,
    circuits.map(() => valve),
    WARM_WATER,
  )
  if (outcome.kind !== 'loop') throw new Error(outcome.kind)
  return outcome.model
}

/**
 * One Bayesian update of all parameters together, solved as one dense system: factors of the mains, an error of the
 * head in each snapshot, and three logarithms for each consumer.
 */
function solveDense(model: LoopModel, snapshots: readonly HydraulicSnapshot[], prior: IdentificationPrior) {
  const { network } = model
  const [mains, consumers] = [network.pipeCount, network.circuitCount]
  const size = mains + snapshots.length + 3 * consumers
  const sigma = Float64Array.from({ length: size }, (_, x) => {
    if (x < mains) return typeof prior.mains === 'number' ? prior.mains : (prior.mains[x] ?? Number.NaN)
    if (x < mains + snapshots.length) return prior.headPa
    return [prior.circuit, prior.kvs, prior.rangeability][(x - mains - snapshots.length) % 3] ?? 0
  })
  const precision = new Float64Array(size * size)
  sigma.forEach((width, x) => {
    precision[x * size + x] = 1 / width ** 2
  })
  const pull = new Float64Array(size)
  snapshots.forEach(({ headPa, flowKgS, openings }, k) => {
    const pipeFlow = sumFlows(network, flowKgS, new Float64Array(mains))
    for (let i = 0; i < consumers; i++) {
      const square = (flowKgS[i] ?? 0) ** 2
      const u = openings[i] ?? 0
      const circuit = (network.circuitResistance[i] ?? 0) * square
      const valve = valveS(model, i, u) * square
      const row = new Float64Array(size)
      let known = circuit + valve
      const node = network.circuitNode[i] ?? 0
      for (let pipe = node; pipe < mains; pipe = network.parent[pipe] ?? mains) {
        row[pipe] = pipeS(network, pipe, pipeFlow[pipe] ?? 0) * (pipeFlow[pipe] ?? 0) ** 2
        known += row[pipe] ?? 0
      }
      row[mains + k] = 1
      const own = mains + snapshots.length + 3 * i
      row.set([circuit, -2 * valve, -2 * (u - 1) * valve], own)
      const noise = (2 * (prior.flow[i] ?? 0) * (circuit + valve)) ** 2 + 1
      addOuter(precision, 1 / noise, row, row)
      row.forEach((value, x) => {
        pull[x] = (pull[x] ?? 0) + (value * (headPa - known)) / noise
      })
    }
  })
  const covariance = invertDefinite(precision, size)
  const values = multiply(covariance, pull)
  const at = (x: number) => ({ value: values[x] ?? 0, sigma: Math.sqrt(covariance[x * size + x] ?? 0) })
  const local = (p: number) =>
    Array.from({ length: consumers }, (_, i) => at(mains + snapshots.length + 3 * i + p))
  return {
    mains: Array.from({ length: mains }, (_, pipe) => ({ ...at(pipe), value: 1 + at(pipe).value })),
    circuit: local(0),
    kvs: local(1),
    slope: local(2),
  }
}

test.each([
  ['one snapshot', 1],
  ['three snapshots', 3],
])('the first iteration with %s is the least-squares solution of all parameters together', (_, count) => {
  const model = createBranches()
  const shifts = [0, 1, 2].slice(0, count)
  const real = scalePipes(
    scaleCircuits(model, Float64Array.of(1.1, 0.95, 1.04, 0.9)),
    Float64Array.of(1.2, 0.9, 1.1),
  )
  const snapshots = shifts.map((shift) => {
    const headPa = 60_000 + 3000 * shift
    const openings = Float64Array.from(
      [0.7, 0.9, 0.8, 0.95],
      (u, i) => u - 0.1 * Math.abs(Math.sin(3 * i + shift)),
    )
    const { flowKgS } = solveLoop(real, openings, { kind: 'head', head: pascal(headPa) })
    return {
      headPa,
      openings,
      flowKgS: flowKgS.map((flow, i) => flow * (1 + 0.01 * Math.sin(i + 2 * shift))),
    }
  })
  const own: IdentificationPrior = {
    mains: Float64Array.of(0.4, 0.2, 0.3),
    circuit: 0.1,
    kvs: 0.05,
    rangeability: 0.15,
    flow: Float64Array.of(0.02, 0.03, 0.02, 0.05),
    headPa: 400,
  }
  const found = identifyLoop(model, snapshots, own, 1)
  const wanted = solveDense(model, snapshots, own)
  for (const kind of ['mains', 'circuit', 'kvs', 'slope'] as const) {
    expect(found[kind]).toHaveLength(wanted[kind].length)
    found[kind].forEach(({ value, sigma }, index) => {
      expect(value, `${kind} ${index}`).toBeCloseTo(wanted[kind][index]?.value ?? Number.NaN, 7)
      expect(sigma, `${kind} ${index}`).toBeCloseTo(wanted[kind][index]?.sigma ?? Number.NaN, 7)
    })
  }
  const width = [own.circuit, own.kvs, own.rangeability]
  for (const [p, kind] of (['circuit', 'kvs', 'slope'] as const).entries())
    for (const { sigma, isIdentified } of found[kind])
      expect(isIdentified).toBe(sigma < 0.8 * (width[p] ?? 0))
})

test('the model has the estimated factors: of pipes and circuits, and in the curve of each valve', () => {
  const model = createBranches()
  const snapshot = {
    headPa: 60_000,
    flowKgS: Float64Array.of(1, 1.2, 0.9, 0.8),
    openings: Float64Array.of(0.7, 0.9, 0.8, 0.95),
  }
  const own = { ...USUAL_PRIOR, flow: filled(4, 0.02), headPa: 400 }
  const found = identifyLoop(model, [snapshot], own)
  found.mains.forEach(({ value }, pipe) => {
    expect(pipeS(found.model.network, pipe, 1) / pipeS(model.network, pipe, 1)).toBeCloseTo(value, 9)
  })
  for (const i of [0, 1, 2, 3]) {
    const circuit = (found.model.network.circuitResistance[i] ?? 0) / (9000 + 3000 * i)
    expect(Math.log(circuit)).toBeCloseTo(found.circuit[i]?.value ?? Number.NaN, 9)
    const kv = Math.sqrt(valveS(model, i, 0.6) / valveS(found.model, i, 0.6))
    const [kvs, slope] = [found.kvs[i]?.value ?? Number.NaN, found.slope[i]?.value ?? Number.NaN]
    expect(Math.log(kv)).toBeCloseTo(kvs - 0.4 * slope, 9)
  }
  const loss = pathLosses(
    found.model.network,
    sumFlows(found.model.network, snapshot.flowKgS, new Float64Array(3)),
    new Float64Array(4),
  )
  const miss = snapshot.flowKgS.map((flow, i) => {
    const node = model.network.circuitNode[i] ?? 3
    const whole = (loss[node] ?? 0) + consumerS(found.model, i, snapshot.openings[i] ?? 0) * flow ** 2
    return whole / 60_000 - 1
  })
  // After the last iteration the snapshot is reproduced within the errors of the meters.
  expect(Math.max(...miss.map(Math.abs))).toBeLessThan(0.03)
})

test('a snapshot without flow in one consumer, or with its valve shut, leaves only that consumer as recorded', () => {
  const model = createBranches()
  const snapshot = {
    headPa: 60_000,
    flowKgS: Float64Array.of(1, 0, 0.9, 0.8),
    openings: Float64Array.of(0.7, 0.9, 0, 0.95),
  }
  const { circuit, kvs, slope } = identifyLoop(model, [snapshot], {
    ...USUAL_PRIOR,
    flow: filled(4, 0.02),
    headPa: 400,
  })
  const recordedAt = ({ value }: { readonly value: number }, i: number) => (value === 0 ? [i] : [])
  for (const found of [circuit, kvs, slope]) expect(found.flatMap(recordedAt)).toEqual([1, 2])
  expect(kvs[1]).toEqual({ value: 0, sigma: 0.15, isIdentified: false })
  expect(slope[2]).toEqual({ value: 0, sigma: 0.25, isIdentified: false })
})

test('absurd readings give bounded factors: a tenth of a pipe, and e^±2.5 for a circuit', () => {
  const model = createBranches()
  const flowKgS = Float64Array.of(1, 1.2, 0.9, 0.8)
  const openings = Float64Array.of(0.7, 0.9, 0.8, 0.95)
  const own = { mains: 5, circuit: 5, kvs: 0.15, rangeability: 0.25, flow: filled(4, 0.02), headPa: 400 }
  const found = identifyLoop(model, [{ headPa: 1000, flowKgS, openings }], own)
  expect(Math.min(...found.mains.map(({ value }) => value))).toBe(0.1)
  expect(Math.min(...found.circuit.map(({ value }) => value))).toBeGreaterThanOrEqual(-2.5)
  const high = identifyLoop(model, [{ headPa: 1e7, flowKgS, openings }], own)
  expect(Math.max(...high.circuit.map(({ value }) => value))).toBe(2.5)
})

test('a consumer without flow in one of two snapshots stays as recorded', () => {
  const model = createBranches()
  const openings = Float64Array.of(0.7, 0.9, 0.8, 0.95)
  const snapshots = [
    { headPa: 60_000, flowKgS: Float64Array.of(1, 1.2, 0.9, 0.8), openings },
    { headPa: 60_000, flowKgS: Float64Array.of(1, 1.2, 0, 0.8), openings },
  ]
  const { circuit } = identifyLoop(model, snapshots, { ...USUAL_PRIOR, flow: filled(4, 0.02), headPa: 400 })
  expect(circuit.map(({ value }) => value !== 0)).toEqual([true, true, false, true])
})
