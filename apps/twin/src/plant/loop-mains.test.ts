import { openingRatio } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Recipe } from '../scenarios/recipe.ts'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { createLoopMains } from './loop-mains.ts'
import { farEnd, nearEnd } from './mains.ts'
import { massError } from './mass-error.testkit.ts'
import {
  createStationPlant,
  moveStem,
  type StationPlant,
  setLoopValve,
  stepStation,
} from './station-plant.ts'

const sky = { outdoorC: -5, sunWM2: 0, groundSunWM2: 0, humidityPct: 60, windMS: 2.5, rainMmH: 0 }
const toCompany = (buildings: number): Recipe['company'] => ({
  kind: 'made',
  tenant: 'heyuan',
  companyName: '和源',
  stations: 1,
  buildings,
  units: 3,
  floors: 1,
  flatsPerFloor: 2,
  sensorEvery: 0,
  meters: true,
})

/** A station of a scenario with a ring: one street, or two streets with joined ends. */
function createRing(buildings: 8 | 20): StationPlant {
  const [spec] = createSmall({ ringMains: true, company: toCompany(buildings) }).stations
  if (spec === undefined) throw new Error('no station')
  return createStationPlant(spec, -5)
}

/** The same station without its loops, for the tree solver. */
const withoutLoops = ({ spec }: StationPlant): StationPlant => createStationPlant({ ...spec, loops: [] }, -5)

const flowsOf = (plant: StationPlant): number[] => {
  stepStation(plant, sky, 60, 60)
  const { pipeFlow, circuitFlow, nodeHead, totalFlow } = plant.hydraulics
  return [...pipeFlow, ...circuitFlow, ...nodeHead, totalFlow]
}

/** The largest difference relative to the largest number. */
function difference(left: readonly number[], right: readonly number[]): number {
  expect(left).toHaveLength(right.length)
  const largest = Math.max(...right.map(Math.abs))
  return Math.max(...left.map((value, index) => Math.abs(value - (right[index] ?? 0)))) / largest
}

describe.each([8, 20] as const)('a station of %i buildings with a ring', (buildings) => {
  it('has the flows and heads of its tree while the loop valve is shut, for any valve openings', () => {
    const ring = createRing(buildings)
    const tree = withoutLoops(ring)
    expect(ring.spec.loops.length).toBe(1)
    setLoopValve(ring, 0, false)
    const openings = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), {
      minLength: ring.spec.units.length,
      maxLength: ring.spec.units.length,
    })
    fc.assert(
      fc.property(openings, (stems) => {
        for (const [unit, opening] of stems.entries()) {
          moveStem(ring, unit, openingRatio(opening))
          moveStem(tree, unit, openingRatio(opening))
        }
        const [ofRing, ofTree] = [flowsOf(ring), flowsOf(tree)]
        const { pipeCount } = tree.network
        const circuits = pipeCount + tree.spec.units.length
        const parts = [0, pipeCount, circuits, circuits + pipeCount + 1, ofTree.length]
        for (const [part, from] of parts.slice(0, -1).entries()) {
          const until = parts[part + 1]
          expect(difference(ofRing.slice(from, until), ofTree.slice(from, until))).toBeLessThan(1e-6)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('gives more total flow and more head at the weaker end while open, and conserves mass at every node', () => {
    const ring = createRing(buildings)
    const tree = withoutLoops(ring)
    const [before, after] = [flowsOf(tree), flowsOf(ring)]
    expect(after.at(-1)).toBeGreaterThan(before.at(-1) ?? 0)
    const [loop] = ring.spec.loops
    const ends = [loop?.from ?? 0, loop?.to ?? 0]
    const gains = ends.map(
      (node) => (ring.hydraulics.nodeHead[node] ?? 0) - (tree.hydraulics.nodeHead[node] ?? 0),
    )
    expect(Math.max(...gains)).toBeGreaterThan(0)
    expect(massError(ring)).toBeLessThan(1e-9)
  })

  it('moves water in flow order, each pipe after its upstream pipes', () => {
    const ring = createRing(buildings)
    flowsOf(ring)
    const { mains, network } = ring
    const pending = new Int32Array(network.pipeCount + 1)
    for (const pipe of mains.order) {
      const far = farEnd(mains, pipe)
      pending[far] = (pending[far] ?? 0) + 1
    }
    const visited: number[] = []
    for (const pipe of mains.order) {
      const far = farEnd(mains, pipe)
      expect(pending[nearEnd(mains, pipe)]).toBe(0)
      pending[far] = (pending[far] ?? 0) - 1
      if (visited.at(-1) !== far) visited.push(far)
    }
    expect(new Set(visited).size).toBe(visited.length)
    // The flows from both sides meet: there a street pipe flows backwards, or two pipes feed one node.
    expect(visited.length).toBeLessThan(mains.order.length)
  })
})

it('heats its buildings through the loop while the street is cut after the first building', () => {
  const ring = createRing(8)
  const { spec } = ring
  const [loop] = spec.loops
  const first = spec.buildings[0]?.node ?? 0
  const street = spec.pipes[first]?.parent ?? 0
  const next = spec.pipes.findIndex(({ parent }, pipe) => parent === street && pipe !== first)
  // A closed pipe, as after a burst that was isolated by valves.
  const pipes = spec.pipes.map((pipe, index) => (index === next ? { ...pipe, localLoss: 1e12 } : pipe))
  const far = spec.units.length - 1
  const cut = createStationPlant({ ...spec, pipes }, -5)
  for (let step = 0; step < 60; step++) stepStation(cut, sky, step * 300, 300)
  expect(loop?.isOpen).toBe(true)
  expect(cut.hydraulics.circuitFlow[far]).toBeGreaterThan(0.3 * (spec.units[far]?.designFlow ?? 1))
  expect(cut.supplyAtNode[spec.units[far]?.node ?? 0]).toBeGreaterThan(cut.supplyC - 3)
  setLoopValve(cut, 0, false)
  stepStation(cut, sky, 18_300, 300)
  expect(cut.hydraulics.circuitFlow[far]).toBeLessThan(0.01)
})

it('refuses an unknown loop, and has no loops if the scenario has none', () => {
  const ring = createRing(8)
  expect(() => setLoopValve(ring, 1, true)).toThrow(RangeError)
  expect(createLoopMains({ ...ring.spec, loops: [] }, ring.network)).toBeUndefined()
})
