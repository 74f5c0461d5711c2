import { flowCoefficient, metre, pascal } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import {
  consumerS,
  type LoopModel,
  pathLosses,
  scaleCircuits,
  scalePipes,
  sumFlows,
} from '../loop/loop-model.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import { planStep } from '../plan/plan-step.ts'
import type { LoopReadings, LoopRecords } from '../records/loop-records.ts'
import { NO_MEMORY } from '../step/step-memory.ts'
import { invertMesh } from './invert-mesh.ts'
import { RING_COUNT, RING_HEAD_PA, recordsOfRing, ring, solveRings } from './ring-mains.testkit.ts'
import { createRingSolver, loopAt, moveTo, settleRings } from './ring-mains.ts'

const records = recordsOfRing(ring)
const total = (flows: Float64Array): number => flows.reduce((sum, flow) => sum + flow, 0)

test('pipes of a ring become a tree and a closing pipe; pipes that lead nowhere are dropped', () => {
  expect(records.loop.pipes).toHaveLength(1 + RING_COUNT)
  expect(records.closing).toHaveLength(1)
  expect(recordsOfRing(ring.slice(0, -2)).closing).toEqual([])
})

test('the tree of a ring has the ring’s losses to each place, and connects each to the pipe with the most flow', () => {
  const flows = solveRings(records, filled(RING_COUNT, 0.6))
  const settled = settleRings(records.loop, records.closing ?? [], flows)
  if (!settled) throw new Error('no solution')
  const { network } = settled.model
  const pipeFlow = sumFlows(network, flows, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  flows.forEach((flow, i) => {
    const left = RING_HEAD_PA - (path[network.circuitNode[i] ?? 0] ?? 0)
    expect(left / (consumerS(records.loop, i, 0.6) * flow ** 2), String(i)).toBeCloseTo(1, 4)
  })
  // The last building is fed through a pipe that is not in the tree with the fewest pipes.
  expect(new Set(settled.link).size).toBe(network.pipeCount)
})

test('rings without a solution are dropped', () => {
  const [{ spec } = { spec: undefined }] = records.closing ?? []
  if (spec === undefined) throw new Error('no ring')
  const closing = [{ from: 1, to: 3, spec: { ...spec, innerDiameter: metre(0) } }]
  expect(settleRings(records.loop, closing, filled(RING_COUNT, 1))).toBeUndefined()
  expect(loopAt({ ...records, closing }, filled(RING_COUNT, 1))).toBe(records.loop)
})

test('a step for a loop with a ring matches the ring, and is better than a step by a tree of it', () => {
  const random = createRandom(7)
  const factor = Float64Array.from({ length: RING_COUNT }, () => Math.exp(sampleNormal(random, 0, 0.3)))
  const plant: LoopRecords = { ...records, loop: scaleCircuits(records.loop, factor) }
  const openings = Float64Array.from({ length: RING_COUNT }, () => 0.4 + 0.5 * random())
  const meterKgS = solveRings(plant, openings)
  const unknown = filled(RING_COUNT, Number.NaN)
  const readings: LoopReadings = {
    supplyC: filled(RING_COUNT, 48),
    returnC: filled(RING_COUNT, 40),
    meterKgS,
    roomC: unknown,
    outdoorC: -5,
    headPa: RING_HEAD_PA,
    totalKgS: total(meterKgS),
  }
  const plan = (known: LoopRecords) =>
    planStep({
      records: known,
      readings,
      openings,
      flows: 'metered',
      memory: NO_MEMORY,
      gateK: 0,
      goal: { kind: 'flow' },
      isFixed: new Uint8Array(RING_COUNT),
      pump: { kind: 'fixed-head', headPa: RING_HEAD_PA },
    })
  const step = plan(records)
  const missOf = ({ plan: { openings, headPa }, targets }: ReturnType<typeof plan>) => {
    const shares = solveRings(plant, openings, headPa).map((flow, i) => flow / (targets.flowKgS[i] ?? 1))
    return Math.max(...shares) / Math.min(...shares) - 1
  }
  const before = meterKgS.map((flow, i) => flow / (records.areaM2[i] ?? 1))
  expect(Math.max(...before) / Math.min(...before) - 1).toBeGreaterThan(0.5)
  expect(missOf(step)).toBeLessThan(0.1)
  expect(missOf(plan({ ...records, closing: [] }))).toBeGreaterThan(5 * missOf(step))
  // Openings computed from the network itself, with the circuits and valves that the step estimates.
  const { model } = step
  const inversion = invertMesh(
    {
      heights: Array.from({ length: 2 * (model.pipes.length + 1) }, () => metre(0)),
      links: [0, model.pipes.length + 1].flatMap((first) => [
        ...records.loop.pipes.map(({ parent, ...pipe }, at) => ({
          kind: 'pipe' as const,
          ...pipe,
          from: first + parent + 1,
          to: first + at + 1,
        })),
        ...(records.closing ?? []).map(({ from, to, spec: { parent: _, ...pipe } }) => ({
          kind: 'pipe' as const,
          ...pipe,
          from: first + from + 1,
          to: first + to + 1,
        })),
      ]),
      fluid: model.fluid,
      friction: model.network.friction,
      station: { supply: 0, back: model.pipes.length + 1 },
      consumers: Array.from(model.network.circuitNode, (at, i) => ({
        supply: at + 1,
        back: model.pipes.length + 2 + at,
        circuit: model.network.circuitResistance[i] ?? 0,
        valve: model.valves[i] ?? (model.valves[0] as never),
      })),
    },
    {
      targetKgS: step.targets.flowKgS,
      minOpening: 0.1,
      indexOpening: 0.95,
      servedShare: 1,
      headPa: step.plan.headPa,
    },
  )
  if (inversion.kind !== 'inverted') throw new Error(inversion.kind)
  inversion.openings.forEach((opening, i) => {
    // Valves are set in whole per cent.
    expect(Math.abs(opening - (step.plan.openings[i] ?? 0)), String(i)).toBeLessThan(0.015)
  })
})

test('a loop without rings is its tree, at any flows', () => {
  const tree = { loop: records.loop, closing: [] }
  const flows = filled(RING_COUNT, 1)
  expect(loopAt(tree, flows)).toBe(records.loop)
  expect(loopAt({ loop: records.loop }, flows)).toBe(records.loop)
  expect(moveTo(tree, records.loop, flows, filled(RING_COUNT, 2))).toBe(records.loop)
  expect(moveTo({ loop: records.loop }, records.loop, flows, filled(RING_COUNT, 2))).toBe(records.loop)
})

/** Path loss to each place in a settled tree at the flows it was settled for, Pa. */
function lossesOf(loop: LoopModel, flows: Float64Array): Float64Array {
  const { network } = loop
  const pipeFlow = sumFlows(network, flows, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  return Float64Array.from(network.circuitNode, (node) => path[node] ?? Number.NaN)
}

test('a model moved to other flows is the one settled there, if nothing was learned', () => {
  const [now, then] = [
    filled(RING_COUNT, 1),
    Float64Array.from({ length: RING_COUNT }, (_, i) => 0.3 + 0.3 * i),
  ]
  const moved = moveTo(records, loopAt(records, now), now, then)
  const settled = loopAt(records, then)
  expect(moved.pipes.map(({ parent }) => parent)).toEqual(settled.pipes.map(({ parent }) => parent))
  lossesOf(settled, then).forEach((loss, i) => {
    expect((lossesOf(moved, then)[i] ?? 0) / loss).toBeCloseTo(1, 6)
  })
})

test('a model moved to other flows keeps what was learned: factors of its pipes, circuits and valves', () => {
  const [now, then] = [
    filled(RING_COUNT, 1),
    Float64Array.from({ length: RING_COUNT }, (_, i) => 0.3 + 0.3 * i),
  ]
  const tree = loopAt(records, now)
  const factor = tree.network.frictionScale.map(() => 1.5)
  const valves = tree.valves.map((valve) => ({ ...valve, kvs: flowCoefficient(2 * valve.kvs) }))
  const learned = { ...scaleCircuits(scalePipes(tree, factor), filled(RING_COUNT, 3)), valves }
  const moved = moveTo(records, learned, now, then)
  expect(moved.valves).toEqual(valves)
  moved.network.circuitResistance.forEach((value, i) => {
    expect(value / (records.loop.network.circuitResistance[i] ?? 0)).toBeCloseTo(3, 9)
  })
  // All links that carry water now have 1.5 times their resistance; the losses to all places rise with them.
  const ratio = lossesOf(moved, then).map((loss, i) => loss / (lossesOf(loopAt(records, then), then)[i] ?? 0))
  expect(Math.min(...ratio)).toBeGreaterThan(1.2)
  expect(Math.max(...ratio)).toBeLessThan(1.5001)
  const unknown = [
    { from: 1, to: 3, spec: { ...(records.closing?.[0]?.spec ?? tree.pipes[0]), innerDiameter: metre(0) } },
  ]
  expect(moveTo({ ...records, closing: unknown as never }, learned, now, then)).toBe(learned)
})

test('given factors multiply the resistance of links by their index, closing pipes after the others', () => {
  const flows = filled(RING_COUNT, 1)
  const closing = records.closing ?? []
  const plain = settleRings(records.loop, closing, flows)
  const all = new Map(Array.from({ length: RING_COUNT + 2 }, (_, link) => [link, 2] as const))
  const doubled = settleRings(records.loop, closing, flows, all)
  if (!plain || !doubled) throw new Error('no solution')
  lossesOf(doubled.model, flows).forEach((loss, i) => {
    expect(loss / (lossesOf(plain.model, flows)[i] ?? 0)).toBeCloseTo(2, 5)
  })
  // A closing pipe that is hard to pass leaves nearly all water to the tree.
  const blocked = settleRings(records.loop, closing, flows, new Map([[RING_COUNT + 1, 1e6]]))
  expect(blocked?.model.pipes.map(({ parent }) => parent)).toEqual(
    records.loop.pipes.map(({ parent }) => parent),
  )
  expect(blocked?.link).toEqual(records.loop.pipes.map((_, pipe) => pipe))
})

test('the tree of a ring is cut where the water of both ways meets, which the flows decide', () => {
  const parentsAt = (flows: Float64Array) => loopAt(records, flows).pipes.map(({ parent }) => parent)
  const near = parentsAt(Float64Array.from({ length: RING_COUNT }, (_, i) => (i === 0 ? 3 : 0.1)))
  const far = parentsAt(Float64Array.from({ length: RING_COUNT }, (_, i) => (i === RING_COUNT - 1 ? 3 : 0.1)))
  expect(near).not.toEqual(far)
})

test('a consumer at the station takes no part in the rings', () => {
  const [first, ...others] = records.loop.network.circuitNode
  const atStation: LoopModel = {
    ...records.loop,
    network: {
      ...records.loop.network,
      circuitNode: Int32Array.of(records.loop.network.pipeCount, ...others),
    },
  }
  const flows = filled(RING_COUNT, 1)
  const settled = settleRings(atStation, records.closing ?? [], flows)
  const without = flows.slice()
  without[0] = 0
  const reference = settleRings(records.loop, records.closing ?? [], without)
  if (!settled || !reference) throw new Error('no solution')
  expect(first).not.toBe(records.loop.network.pipeCount)
  expect(settled.model.network.circuitNode[0]).toBe(settled.model.network.pipeCount)
  expect(settled.link).toEqual(reference.link)
  expect(lossesOf(settled.model, flows)[0]).toBe(0)
  expect(lossesOf(settled.model, flows)[4]).toBeCloseTo(lossesOf(reference.model, without)[4] ?? 0, 3)
})

test('flows of a ring at other openings are those of the network with its rings', () => {
  const source = { kind: 'head', head: pascal(RING_HEAD_PA) } as const
  const now = solveRings(records, filled(RING_COUNT, 0.6))
  const solve = createRingSolver(records, loopAt(records, now), now)
  const tree = loopAt(records, now)
  let worstOfTree = 0
  for (let seed = 1; seed <= 10; seed++) {
    const random = createRandom(seed)
    const openings = Float64Array.from({ length: RING_COUNT }, () => 0.15 + 0.8 * random())
    const real = solveRings(records, openings)
    const [found, byTree] = [solve(openings, source).flowKgS, solveLoop(tree, openings, source).flowKgS]
    real.forEach((flow, i) => {
      expect((found[i] ?? 0) / flow, `${seed} ${i}`).toBeCloseTo(1, 2)
      worstOfTree = Math.max(worstOfTree, Math.abs((byTree[i] ?? 0) / flow - 1))
    })
  }
  expect(worstOfTree).toBeGreaterThan(0.03)
})

test('pipes of a ring carry all consumers of a place, and none that is at the station', () => {
  const { loop, closing = [] } = records
  const { network } = loop
  const at = (circuitNode: typeof network.circuitNode) => ({ ...loop, network: { ...network, circuitNode } })
  const flows = Float64Array.from({ length: RING_COUNT }, (_, i) => 1 + 0.2 * i)
  const pipesOf = (own: LoopModel, flowKgS: Float64Array) => {
    const settled = settleRings(own, closing, flowKgS)
    return { link: settled?.link, lengthM: settled?.model.pipes.map(({ length }) => length) }
  }
  const [first = 0] = network.circuitNode
  const joined = network.circuitNode.with(4, first)
  const sumAtFirst = flows.with(0, (flows[0] ?? 0) + (flows[4] ?? 0)).with(4, 0)
  expect(pipesOf(at(joined), flows)).toEqual(pipesOf(loop, sumAtFirst))
  const atStation = network.circuitNode.with(4, network.pipeCount)
  expect(pipesOf(at(atStation), flows)).toEqual(pipesOf(loop, flows.with(4, 0)))
})
