import { registryFile } from '@isotherm/contract/network/registry-file'
import { isImei } from '@isotherm/kernel/imei'
import { describe, expect, it } from 'vitest'
import { createNamed, createScenario } from './create-scenario.ts'
import { demoFaults } from './demo-faults.ts'
import { layOutRegistry } from './layouts/registry-layout.ts'
import { namedRecipes } from './named-recipes.ts'
import { recipe } from './recipe.ts'
import { toRegistryFile } from './registry/registry.ts'
import type { Scenario } from './scenario.ts'

const scenario = createNamed('demo')
const outcome = createScenario({ ...namedRecipes.demo, seed: 1 })
if (outcome.kind === 'unusable') throw new Error(outcome.problems.join('; '))
const another = outcome.scenario
const registry = toRegistryFile(scenario)

const countDevices = (kind: string): number =>
  registry.devices.filter((device) => device.kind === kind).length

const heated = scenario.stations.filter(({ heating }) => heating !== undefined)
const pumpHouses = scenario.stations.filter(({ watering }) => watering !== undefined)

it('has 4 heat stations, 48 buildings, 144 unit valves, 1,728 flats and a room sensor in about every sixth', () => {
  expect(heated).toHaveLength(4)
  expect(heated.flatMap(({ buildings }) => buildings)).toHaveLength(48)
  expect(heated.flatMap(({ units }) => units)).toHaveLength(144)
  expect(registry.nodes.filter((node) => node.level === 8)).toHaveLength(1728)
  expect(countDevices('heat-meter')).toBe(48)
  expect(countDevices('station')).toBe(scenario.stations.length)
  expect(countDevices('concentrator')).toBe(scenario.stations.length)
  expect(countDevices('room-sensor')).toBe(288)
})

it('has a greenhouse: a pump house with two programs that together water each of its 12 valves', () => {
  expect(pumpHouses.flatMap(({ units }) => units)).toHaveLength(12)
  const { irrigation = [], nodes } = registryFile.parse(registry)
  const [source, ...others] = irrigation
  expect(others).toEqual([])
  const keys = new Set(nodes.map(({ key }) => key))
  expect(
    [source?.node, ...(source?.groups.map(({ key }) => key) ?? [])].every((key) => keys.has(key ?? '')),
  ).toBe(true)
  const watered = source?.programs.flatMap(({ plan }) => plan.entries.map(({ group }) => group)) ?? []
  expect(watered.toSorted()).toEqual(source?.groups.map(({ key }) => key).toSorted())
  const serials = source?.groups.flatMap(({ valves }) => valves.map(({ serial }) => serial)) ?? []
  expect(serials).toEqual(pumpHouses.flatMap(({ units }) => units.map(({ valveSerial }) => valveSerial)))
})

it('describes itself in the format of the server import', () => {
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
  expect(new Set(withImei.map(({ imei }) => imei)).size).toBe(scenario.stations.length)
  const meters = registry.devices.filter((device) => device.kind === 'heat-meter')
  expect(new Set(meters.map(({ meterNo }) => meterNo)).size).toBe(48)
  expect(toRegistryFile(another).devices[0]?.imei).not.toBe(withImei[0]?.imei)
})

it('generates the same company for the same seed, and another one for another seed', () => {
  expect(createNamed('demo')).toEqual(scenario)
  expect(another.stations[0]?.units[0]?.circuit).not.toBe(scenario.stations[0]?.units[0]?.circuit)
})

it('gives each fault to a valve that exists', () => {
  const valves = new Set(scenario.stations.flatMap(({ units }) => units).map((unit) => unit.valveSerial))
  expect(scenario.faults).toHaveLength(3)
  expect(demoFaults.every(({ target }) => valves.has(target))).toBe(true)
})

it('has valves that differ from their name plates by some per cent, like real ones', () => {
  const errors = heated
    .flatMap((station) => station.units)
    .map(({ valve, valveModel }) => valve.kvs / Number(valveModel.split('Kvs')[1]) - 1)
  const rms = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
  expect(rms).toBeGreaterThan(0.04)
  expect(rms).toBeLessThan(0.08)
})

it('divides the whole flow of a unit among its flats', () => {
  for (const unit of heated.flatMap((station) => station.units)) {
    const sum = unit.households.reduce((total, flat) => total + flat.flowShare, 0)
    expect(sum).toBeCloseTo(1, 12)
  }
})

describe('the named scenarios', () => {
  const flatsOf = ({ stations }: Scenario) =>
    stations.flatMap(({ units }) => units).reduce((sum, unit) => sum + unit.households.length, 0)

  it('are valid content of a scenario file', () => {
    for (const named of Object.values(namedRecipes)) {
      expect(recipe.parse(JSON.parse(JSON.stringify(named)))).toEqual(named)
    }
  })

  it('a town has about 10,000 flats and describes itself with every name and serial once', () => {
    const town = createNamed('town')
    expect(flatsOf(town)).toBe(10_080)
    const file = registryFile.parse(toRegistryFile(town))
    expect(new Set(file.nodes.map(({ key }) => key)).size).toBe(file.nodes.length)
    expect(new Set(file.devices.map(({ serial }) => serial)).size).toBe(file.devices.length)
    expect(new Set(file.devices.flatMap(({ imei }) => imei ?? [])).size).toBe(10)
  })

  it('a city has about 100,000', () => {
    const { company } = namedRecipes.city
    if (company.kind !== 'made') throw new Error(company.kind)
    const { stations, buildings, units, floors, flatsPerFloor } = company
    expect(stations * buildings * units * floors * flatsPerFloor).toBe(100_800)
  })

  it('a floor-heating mix has about as many buildings with floors as with radiators', () => {
    const units = createNamed('floor-mix').stations.flatMap((station) => station.units)
    const floors = units.filter(({ emitters }) => emitters === 'floor')
    expect(floors.length / units.length).toBeGreaterThan(0.3)
    expect(floors.length / units.length).toBeLessThan(0.7)
    expect(floors.every((unit) => unit.households.every(({ emitter }) => emitter.kind === 'floor'))).toBe(
      true,
    )
  })

  it('a faulty company has 3 % stuck valves, 3 % dead sensors and 2 % wrong areas, at most one fault each', () => {
    const faulty = createNamed('faulty')
    const valves = faulty.stations.reduce((sum, { units }) => sum + units.length, 0)
    const count = (kind: string) => faulty.faults.filter((fault) => fault.kind === kind).length
    expect([count('stuck'), count('frozen')]).toEqual([Math.round(0.03 * valves), Math.round(0.03 * valves)])
    expect(count('wrong-area')).toBe(Math.round(0.02 * valves))
    const rooms = toRegistryFile(faulty).devices.filter(({ kind }) => kind === 'room-sensor')
    expect(count('offline')).toBe(Math.round(0.03 * rooms.length))
    expect(new Set(faulty.faults.map(({ target }) => target)).size).toBe(faulty.faults.length)
  })

  it('without meters only the stations measure flow', () => {
    const bare = createNamed('no-meters')
    expect(toRegistryFile(bare).devices.some(({ kind }) => kind === 'heat-meter')).toBe(false)
    expect(bare.stations.every(({ units }) => units.every(({ measuresFlow }) => !measuresFlow))).toBe(true)
  })

  it('an outage disables the radio of an existing concentrator for hours', () => {
    const { faults, stations } = createNamed('concentrator-outage')
    const [outage, ...others] = faults
    expect(others).toEqual([])
    expect(outage).toMatchObject({ kind: 'offline', target: stations[0]?.concentratorSerial })
  })
})

describe('from a registry', () => {
  it('generates the plant of the registry: same places, devices and areas', () => {
    const file = toRegistryFile(createNamed('floor-mix'))
    const registry = { ...namedRecipes['floor-mix'], company: { kind: 'registry' as const, file: 'r.json' } }
    const created = createScenario(registry, file)
    if (created.kind === 'unusable') throw new Error(created.problems.join('; '))
    const again = toRegistryFile(created.scenario)
    const sorted = (of: typeof file) => ({
      nodes: [...of.nodes].sort((a, b) => a.key.localeCompare(b.key)),
      serials: of.devices.map(({ serial, node, kind }) => `${serial} ${kind} ${node}`).sort(),
    })
    expect(sorted(again)).toEqual(sorted(file))
  })

  it('accepts the demo, with buildings directly below a station', () => {
    const file = toRegistryFile(scenario)
    const moved = file.nodes.map((node) => (node.parent === 's1a1' ? { ...node, parent: 's1' } : node))
    const outcome = layOutRegistry({ ...file, nodes: moved }, 1)
    if (outcome.kind === 'unusable') throw new Error(outcome.problems.join('; '))
    const [first] = outcome.layout.stations
    expect(outcome.layout.stations.map(({ watering }) => watering !== undefined)).toEqual(
      scenario.stations.map(({ watering }) => watering !== undefined),
    )
    expect(first?.areas.map(({ key, buildings }) => [key, buildings.length])).toEqual([
      ['s1', 7],
      ['s1a2', 5],
    ])
  })

  it('reports missing data', () => {
    const file = toRegistryFile(scenario)
    const noValve = file.devices.filter(({ serial }) => serial !== '11110000100101')
    expect(layOutRegistry({ ...file, devices: noValve }, 1)).toEqual({
      kind: 'unusable',
      problems: ['unit b1u1 has no valve'],
    })
    expect(layOutRegistry({ ...file, devices: [] }, 1).kind).toBe('unusable')
  })
})

describe('names in English', () => {
  it.each(['demo', 'faulty', 'irrigation'] as const)(
    'leave no Chinese in the registry of %s, and change nothing else',
    (name) => {
      const [zh, en] = [createNamed(name), createNamed(name, 'en')].map((each) =>
        registryFile.parse(toRegistryFile(each)),
      )
      expect(JSON.stringify(en)).not.toMatch(/\p{Script=Han}/u)
      const withoutNames = (file: typeof zh) =>
        JSON.stringify(file, (key, value) => (key === 'name' || key === 'description' ? undefined : value))
      expect(withoutNames(en)).toBe(withoutNames(zh))
      const places = en?.nodes.map(({ parent, name: own }) => `${parent} ${own}`)
      expect(new Set(places).size).toBe(en?.nodes.length)
    },
  )
})
