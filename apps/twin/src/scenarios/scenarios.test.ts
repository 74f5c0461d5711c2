import { registryFile } from '@isotherm/contract/registry-file'
import { isImei } from '@isotherm/kernel/imei'
import { expect, it } from 'vitest'
import { createNamed, createScenario } from './create-scenario.ts'
import { demoFaults } from './demo-faults.ts'
import { namedRecipes } from './named-recipes.ts'
import { toRegistryFile } from './registry.ts'

const scenario = createNamed('demo')
const outcome = createScenario({ ...namedRecipes.demo, seed: 1 })
if (outcome.kind === 'unusable') throw new Error(outcome.problems.join('; '))
const another = outcome.scenario
const registry = toRegistryFile(scenario)

const countDevices = (kind: string): number =>
  registry.devices.filter((device) => device.kind === kind).length

it('has 4 stations, 48 buildings, 144 unit valves, 1,728 flats and a room sensor in about every sixth', () => {
  expect(scenario.stations).toHaveLength(4)
  expect(registry.nodes.filter((node) => node.kind === 'sub-user' && !node.test)).toHaveLength(48)
  expect(registry.nodes.filter((node) => node.level === 8)).toHaveLength(1728)
  expect(countDevices('valve')).toBe(144)
  expect(countDevices('heat-meter')).toBe(48)
  expect(countDevices('station')).toBe(4)
  expect(countDevices('concentrator')).toBe(4)
  expect(countDevices('room-sensor')).toBe(288)
})

it('describes itself in the form that the server imports', () => {
  expect(registryFile.safeParse(registry).error).toBeUndefined()
})

it('names parents before children, each key and serial once, and places every device on a node', () => {
  const seen = new Set<string>()
  for (const node of registry.nodes) {
    expect(node.parent === null || seen.has(node.parent)).toBe(true)
    expect(seen.has(node.key)).toBe(false)
    seen.add(node.key)
  }
  const serials = new Set(registry.devices.map((device) => device.serial))
  expect(serials.size).toBe(registry.devices.length)
  for (const device of registry.devices) {
    expect(seen.has(device.node)).toBe(true)
    expect(device.concentrator === null || serials.has(device.concentrator)).toBe(true)
  }
})

it('§3: has one test-marked sub-user, without addresses and devices', () => {
  const [user, ...others] = registry.nodes.filter((node) => node.test)
  expect([user?.kind, others]).toEqual(['sub-user', []])
  expect(registry.nodes.filter((node) => node.parent === user?.key)).toEqual([])
  expect(registry.devices.filter((device) => device.node === user?.key)).toEqual([])
})

it('§4: has one subdivision of type s, which the tree collapses', () => {
  const marked = registry.nodes.filter((node) => node.stype !== undefined)
  expect(marked.map(({ name, stype }) => [name, stype])).toEqual([['建设街换热站', 's']])
})

it('gives a valid IMEI to each device with its own link and a meter number to each heat meter, all different', () => {
  const withImei = registry.devices.filter((device) => device.imei !== undefined)
  expect(withImei).toEqual(registry.devices.filter((device) => device.concentrator === null))
  expect(withImei.every(({ imei = '' }) => isImei(imei))).toBe(true)
  expect(new Set(withImei.map(({ imei }) => imei)).size).toBe(4)
  const meters = registry.devices.filter((device) => device.kind === 'heat-meter')
  expect(new Set(meters.map(({ meterNo }) => meterNo)).size).toBe(48)
  expect(toRegistryFile(another).devices[0]?.imei).not.toBe(withImei[0]?.imei)
})

it('is the same company for the same seed and another for another', () => {
  expect(createNamed('demo')).toEqual(scenario)
  expect(another.stations[0]?.units[0]?.circuit).not.toBe(scenario.stations[0]?.units[0]?.circuit)
})

it('gives each fault to a valve that exists', () => {
  const valves = new Set(scenario.stations.flatMap(({ units }) => units).map((unit) => unit.valveSerial))
  expect(scenario.faults).toHaveLength(3)
  expect(demoFaults.every(({ target }) => valves.has(target))).toBe(true)
})

it('shares out the whole flow of a unit among its flats', () => {
  for (const unit of scenario.stations.flatMap((station) => station.units)) {
    const sum = unit.households.reduce((total, flat) => total + flat.flowShare, 0)
    expect(sum).toBeCloseTo(1, 12)
  }
})
