import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { createNetwork } from './network.ts'
import type { NetworkSpec } from './network-spec.ts'

const water = { densityKgM3: 1000, viscosityPaS: 1e-3 }
const node = (heightM: number, demandKgS: number) => ({
  height: metre(heightM),
  demand: kilogramPerSecond(demandKgS),
})

/** Four nodes: 0 free, 1 given, 2 and 3 free; a riser of lighter water, a pump, and a valve in each direction. */
const spec = (): NetworkSpec => ({
  nodes: [node(0, 1), { ...node(10, 0), pressure: pascalGauge(2e5) }, node(20, -3), node(5, 0)],
  links: [
    {
      kind: 'pipe',
      from: 0,
      to: 2,
      length: metre(100),
      innerDiameter: metre(0.1),
      roughness: metre(5e-4),
      localLoss: 2,
      fluid: { densityKgM3: 980, viscosityPaS: 1e-3 },
    },
    { kind: 'pump', from: 1, to: 0, curve: { h0: 1000, h1: -2, h2: 3 }, speed: 0.5 },
    { kind: 'resistor', from: 2, to: 3, resistance: resistance(7) },
    { kind: 'resistor', from: 3, to: 2, resistance: resistance(8) },
  ],
  fluid: water,
  friction: 'colebrook',
})

function build() {
  const outcome = createNetwork(spec())
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  return outcome.network
}

it('has the water column ρ·g·z below each node: 98 066.5 Pa for 10 m', () => {
  const { column, demand, isGiven, givenPressure } = build()
  expect([...column]).toEqual([0, 98_066.5, 196_133, 49_033.25].map((pa) => expect.closeTo(pa, 6)))
  expect([...demand]).toEqual([1, 0, -3, 0])
  expect([...isGiven]).toEqual([0, 1, 0, 0])
  expect([...givenPressure]).toEqual([0, 2e5, 0, 0])
})

it('drives water upwards that is 20 kg/m³ lighter: 20·9.80665·20 = 3922.66 Pa over 20 m', () => {
  expect([...build().buoyancy]).toEqual([3922.66, 0, 0, 0].map((pa) => expect.closeTo(pa, 6)))
  // Between 5 m and 20 m, and from the upper end.
  const { links, ...rest } = spec()
  const [riser] = links
  if (riser === undefined) throw new Error('no riser')
  const turned = createNetwork({ ...rest, links: [{ ...riser, from: 2, to: 3 }] })
  if (turned.kind !== 'network') throw new Error(turned.kind)
  expect(turned.network.buoyancy[0]).toBeCloseTo(-20 * 9.80665 * 15, 6)
})

it('has the data of each kind of link in its own arrays, and zero for other kinds', () => {
  const network = build()
  expect([...network.from]).toEqual([0, 1, 2, 3])
  expect([...network.to]).toEqual([2, 0, 3, 2])
  expect([...network.isPump]).toEqual([0, 1, 0, 0])
  expect([...network.h0]).toEqual([0, 1000, 0, 0])
  expect([...network.h1]).toEqual([0, -2, 0, 0])
  expect([...network.h2]).toEqual([0, 3, 0, 0])
  expect([...network.speed]).toEqual([0, 0.5, 0, 0])
  // 8·ζ/(ρπ²D⁴) of the pipe.
  expect([...network.resistance]).toEqual([expect.closeTo(16 / (980 * Math.PI ** 2 * 1e-4), 9), 0, 7, 8])
  expect([...network.relativeRoughness]).toEqual([0.005, 0, 0, 0])
  expect([...network.isShut]).toEqual([0, 0, 0, 0])
  expect([network.nodeCount, network.linkCount, network.friction]).toEqual([4, 4, 'colebrook'])
})

it('guesses 0.5 m/s in a pipe, 3.927 kg/s in DN 100, and 1 kg/s elsewhere', () => {
  expect([...build().typicalFlow]).toEqual([expect.closeTo(3.92699, 5), 1, 1, 1])
})

it('lists the links at each node, those that start there first', () => {
  const { linkStart, linkAt } = build()
  const at = [0, 1, 2, 3].map((index) => [...linkAt.subarray(linkStart[index], linkStart[index + 1])])
  expect(at).toEqual([[0, 1], [1], [2, 0, 3], [3, 2]])
  expect([...linkStart]).toEqual([0, 2, 3, 6, 8])
})

it('numbers the unknown pressures, and has one value in the equations for links side by side', () => {
  const { unknown, slot, equations } = build()
  expect([...unknown]).toEqual([0, -1, 1, 2])
  expect([...slot]).toEqual([0, -1, 1, 1])
  expect(equations.size).toBe(3)
  expect(equations.offDiagonal).toHaveLength(2)
})
