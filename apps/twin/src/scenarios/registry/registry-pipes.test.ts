import { type RegistryFile, registryFile } from '@isotherm/contract/network/registry-file'
import { expect, it } from 'vitest'
import { createNamed } from '../create-scenario.ts'
import type { Scenario } from '../scenario.ts'
import { toRegistryFile } from './registry.ts'

const toFile = (scenario: Scenario): RegistryFile => registryFile.parse(toRegistryFile(scenario))

it("a company's archive has mains of all heat stations but the last: they reach every building once, with the length of the streets", () => {
  const scenario = createNamed('demo')
  const { pipes = [] } = toFile(scenario)
  const heated = scenario.stations.filter(({ heating }) => heating !== undefined)
  const buildings = heated.slice(0, -1).flatMap((station) => station.buildings)
  expect(pipes.map(({ to }) => to).toSorted()).toEqual(buildings.map(({ key }) => key).toSorted())
  const [station] = heated
  if (!station) throw new Error('the demo has no heat station')
  const streets = station.buildings.map(({ node }) => station.pipes[station.pipes[node]?.parent ?? -1])
  const built = streets.reduce((sum, street) => sum + (street?.length ?? Number.NaN), 0)
  const own = new Set(station.buildings.map(({ key }) => key))
  const recorded = pipes.filter(({ to }) => own.has(to)).reduce((sum, { lengthM }) => sum + lengthM, 0)
  expect(Math.abs(recorded - built)).toBeLessThan(station.buildings.length / 2)
  expect(pipes.filter(({ from }) => from === station.key)).toHaveLength(
    new Set(station.buildings.map(({ area }) => area)).size,
  )
})

it('only the closing main of a ring joins the last buildings of two streets', () => {
  const scenario = createNamed('ring-main')
  const { pipes = [] } = toFile(scenario)
  const recorded = scenario.stations.slice(0, -1)
  const buildings = recorded.flatMap((station) => station.buildings)
  const rings = recorded.flatMap(({ loops }) => loops)
  expect(rings.length).toBeGreaterThan(0)
  expect(pipes).toHaveLength(buildings.length + rings.length)
  const pairs = pipes.map(({ from, to }) => [from, to].toSorted().join(' '))
  expect(new Set(pairs).size).toBe(pairs.length)
})

it('records floor heating for its buildings, and radiators for the rest of each heat station', () => {
  const scenario = createNamed('floor-mix')
  const { nodes } = toFile(scenario)
  const withFloors = nodes.filter(({ emitter }) => emitter === 'floor').map(({ key }) => key)
  const built = scenario.stations.flatMap(({ buildings, units }) =>
    buildings.flatMap(({ key, units: own }) => (units[own[0] ?? -1]?.emitters === 'floor' ? [key] : [])),
  )
  expect(built.length).toBeGreaterThan(0)
  expect(withFloors.toSorted()).toEqual(built.toSorted())
  const stations = nodes.filter(({ emitter }) => emitter === 'radiator').map(({ key }) => key)
  expect(stations).toEqual(scenario.stations.map(({ key }) => key))
})
