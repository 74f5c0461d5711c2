import { beforeEach, describe, expect, it } from 'vitest'
import { createField, type Field } from '../field/field.ts'
import { START_S } from '../plant/plant.ts'
import { ownResistance } from '../plant/station-flows.ts'
import { type StationPlant, unitFlow } from '../plant/station-plant.ts'
import { demoFirmware } from '../scenarios/firmware.ts'
import { toRegistryFile } from '../scenarios/registry/registry.ts'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import type { DeviceFault, Fault } from './fault.ts'

const NOW = 1_763_683_200_000
const quick = { valve: 1, 'heat-meter': 1, 'room-sensor': 1, station: 1, concentrator: 1, sensor: 1 }
const scenario = createSmall({
  firmware: { ...demoFirmware, periodS: quick },
})

let faulty: Field
let healthy: Field
let tick: number
const open = (faults: readonly Fault[] = []): Field =>
  createField({ ...scenario, faults }, { boot: 1, nowMs: NOW, pace: { minMoveS: 1 }, warmUp: 'cold' })

beforeEach(() => {
  faulty = open()
  healthy = open()
  tick = 0
})

type Readings = ReadonlyMap<string, Readonly<Record<string, number>>>

/** Runs both fields for a step. Returns the values of each device of both at its end. */
function live(simS: number): { readonly faulty: Readings; readonly healthy: Readings } {
  tick++
  const showIn = (field: Field): Readings => {
    const children = field
      .step(NOW + tick * 2000, simS)
      .flatMap(({ telemetry }) => telemetry.flatMap(({ d }) => d))
    return new Map(children.map(({ id, m }) => [id, m]))
  }
  return { faulty: showIn(faulty), healthy: showIn(healthy) }
}

const shownBy = (readings: Readings, serial: string, metric: string): number =>
  readings.get(serial)?.[metric] ?? Number.NaN

/** The first call schedules the reports of each device; from the second call on all report. */
function begin(fault: DeviceFault): void {
  live(60)
  live(60)
  faulty.inject(fault)
}

function stationOf(field: Field): StationPlant {
  const [station] = field.plant.stations
  if (station === undefined) throw new Error('no station')
  return station
}

function command(field: Field, serial: string, opening: number) {
  const [concentrator] = field.concentrators
  if (concentrator === undefined) throw new Error('no concentrator')
  const order = { v: 1, id: `c${tick}`, dev: serial, do: 'valve.set', args: { opening } }
  const at = NOW + tick * 2000
  return field.receive(concentrator, { ...order, iat: at, exp: at + 60_000, rev: tick + 1 }, at)
}

describe('frozen', () => {
  it('shows a constant value of one metric and true values of the others', () => {
    begin({ kind: 'frozen', target: small.valve, metric: 'temp.supply' })
    const first = shownBy(live(600).faulty, small.valve, 'temp.supply')
    stationOf(faulty).openings.fill(0.2)
    stationOf(faulty).isValvesMoved = true
    const later = Array.from({ length: 12 }, () => live(600))
    for (const { faulty: shown } of later) expect(shownBy(shown, small.valve, 'temp.supply')).toBe(first)
    const others = new Set(later.map(({ faulty: shown }) => shownBy(shown, small.valve, 'temp.return')))
    expect(others.size).toBeGreaterThan(3)
    expect(
      new Set(later.map(({ healthy: shown }) => shownBy(shown, small.valve, 'temp.supply'))).size,
    ).toBeGreaterThan(1)
    faulty.plant.faults.repair(small.valve)
    const repaired = Array.from({ length: 6 }, () => shownBy(live(600).faulty, small.valve, 'temp.supply'))
    expect(new Set(repaired).size).toBeGreaterThan(1)
  })

  it('freezes all values of a meter, including its registers', () => {
    begin({ kind: 'frozen', target: small.meter })
    const first = live(3600).faulty.get(small.meter)
    live(3600)
    expect(live(7200).faulty.get(small.meter)).toEqual(first)
  })
})

it('spike: sometimes wrong by its height, otherwise correct', () => {
  begin({ kind: 'spike', target: small.valve, metric: 'temp.return', height: 30, share: 0.25 })
  const readings = Array.from({ length: 80 }, () => live(30))
  const errors = readings.map(
    ({ faulty: wrong, healthy: right }) =>
      shownBy(wrong, small.valve, 'temp.return') - shownBy(right, small.valve, 'temp.return'),
  )
  const spikes = errors.filter((error) => error > 28)
  expect(spikes.length).toBeGreaterThan(8)
  expect(spikes.length).toBeLessThan(35)
  expect(errors.filter((error) => Math.abs(error) < 1)).toHaveLength(80 - spikes.length)
})

it('swapped: supply and return temperatures are exchanged, and the meter counts volume but no heat', () => {
  begin({ kind: 'swapped', target: small.meter })
  const { faulty: wrong, healthy: right } = live(600)
  expect(shownBy(wrong, small.meter, 'temp.supply')).toBeCloseTo(
    shownBy(right, small.meter, 'temp.return'),
    0,
  )
  expect(shownBy(wrong, small.meter, 'temp.return')).toBeCloseTo(
    shownBy(right, small.meter, 'temp.supply'),
    0,
  )
  expect(shownBy(wrong, small.meter, 'heat.power')).toBeLessThan(0)
  const later = live(6 * 3600)
  const grown = (metric: string) =>
    shownBy(later.faulty, small.meter, metric) - shownBy(wrong, small.meter, metric)
  expect(grown('heat.energy')).toBe(0)
  expect(grown('heat.volume')).toBeGreaterThan(1)
})

it('drift: moves towards its limit with its time constant', () => {
  begin({ kind: 'drift', target: small.valve, metric: 'temp.return', limit: 6, timeS: 7200 })
  const errorAfter = (simS: number): number => {
    const { faulty: wrong, healthy: right } = live(simS)
    return shownBy(wrong, small.valve, 'temp.return') - shownBy(right, small.valve, 'temp.return')
  }
  expect(errorAfter(60)).toBeCloseTo(0, 0)
  expect(errorAfter(7140)).toBeCloseTo(6 * (1 - Math.exp(-1)), 0)
  expect(errorAfter(72_000)).toBeCloseTo(6, 0)
})

describe('offline', () => {
  it('a child is silent, and a command to it times out on the bus', () => {
    begin({ kind: 'offline', target: small.valve })
    const { faulty: wrong, healthy: right } = live(60)
    expect(wrong.has(small.valve)).toBe(false)
    expect(wrong.has(small.otherValve)).toBe(true)
    expect(right.has(small.valve)).toBe(true)
    expect(command(faulty, small.valve, 50)).toMatchObject([{ stage: 'accepted', code: 0 }])
    const replies = faulty.step(NOW + tick * 2000 + 4000, 1).flatMap((outgoing) => outgoing.replies)
    expect(replies).toMatchObject([{ stage: 'done', code: 408 }])
    expect(stationOf(faulty).openings[0]).toBe(stationOf(healthy).openings[0])
  })
})

it('stuck: the motor is blocked, the command fails and nothing moves', () => {
  begin({ kind: 'stuck', target: small.valve })
  const before = unitFlow(stationOf(faulty), 0)
  command(faulty, small.valve, 12)
  const replies = faulty.step(NOW + tick * 2000, 600).flatMap((outgoing) => outgoing.replies)
  expect(replies).toMatchObject([{ stage: 'done', code: 500, msg: 'motor blocked' }])
  expect(unitFlow(stationOf(faulty), 0)).toBe(before)
})

it('slipping: the motor reports its target, but the stem follows only partly', () => {
  begin({ kind: 'slipping', target: small.valve, grip: 0.2 })
  for (const field of [faulty, healthy]) command(field, small.valve, 12)
  const { faulty: wrong, healthy: right } = live(600)
  expect(shownBy(wrong, small.valve, 'valve.opening')).toBe(12)
  expect(shownBy(right, small.valve, 'valve.opening')).toBe(12)
  expect(stationOf(healthy).openings[0]).toBeCloseTo(0.12, 1)
  expect(stationOf(faulty).openings[0]).toBeGreaterThan(0.3)
  expect(unitFlow(stationOf(faulty), 0)).toBeGreaterThan(1.5 * unitFlow(stationOf(healthy), 0))
})

it('clogged: the circuit gets less flow according to its resistance, and its neighbours get more', () => {
  begin({ kind: 'clogged', target: small.valve, factor: 4 })
  live(60)
  const [wrong, right] = [stationOf(faulty), stationOf(healthy)]
  const circuit = right.spec.units[0]?.circuit ?? 0
  expect(ownResistance(wrong, 0) - ownResistance(right, 0)).toBeCloseTo(3 * circuit, 3)
  expect(unitFlow(wrong, 0)).toBeLessThan(0.8 * unitFlow(right, 0))
  expect(unitFlow(wrong, 1)).toBeGreaterThan(unitFlow(right, 1))
  faulty.plant.faults.repair(small.valve)
  live(60)
  expect(unitFlow(wrong, 0)).toBeCloseTo(unitFlow(right, 0), 6)
})

it('bypass: water short-circuits before the valve, the return gets warmer and the others get less flow', () => {
  begin({ kind: 'bypass', target: small.valve, share: 0.8 })
  for (let step = 0; step < 12; step++) live(300)
  const [wrong, right] = [stationOf(faulty), stationOf(healthy)]
  const past = (wrong.hydraulics.circuitFlow[0] ?? 0) - unitFlow(wrong, 0)
  const node = wrong.network.circuitNode[0] ?? 0
  const designFlow = wrong.spec.units[0]?.designFlow ?? 0
  const head = wrong.hydraulics.nodeHead[node] ?? 0
  expect(past).toBeCloseTo(0.8 * designFlow * Math.sqrt(head / 20_000), 6)
  expect(unitFlow(wrong, 0) ** 2 * ownResistance(wrong, 0)).toBeCloseTo(head, 3)
  expect(unitFlow(wrong, 1)).toBeLessThan(unitFlow(right, 1))
  const meterNode = wrong.spec.buildings[0]?.node ?? 0
  expect(wrong.returnAtNode[meterNode]).toBeGreaterThan((right.returnAtNode[meterNode] ?? 0) + 0.5)
})

it('private pump: its circuit has the flow of both heads together, and its neighbours get less', () => {
  begin({ kind: 'private-pump', target: small.valve, headPa: 20_000 })
  live(60)
  const [wrong, right] = [stationOf(faulty), stationOf(healthy)]
  const head = wrong.hydraulics.nodeHead[wrong.network.circuitNode[0] ?? 0] ?? 0
  expect((unitFlow(wrong, 0) ** 2 * ownResistance(wrong, 0)) / (head + 20_000)).toBeCloseTo(1, 6)
  expect(unitFlow(wrong, 0)).toBeGreaterThan(1.1 * unitFlow(right, 0))
  expect(unitFlow(wrong, 1)).toBeLessThan(unitFlow(right, 1))
})

describe('mistakes of the records', () => {
  const right = toRegistryFile(scenario)
  const areasOf = (file: typeof right, unit: string) =>
    file.nodes.flatMap(({ parent, areaM2 }) => (parent === unit ? (areaM2 ?? []) : []))

  it('wrong area: the registry contains a multiple of the true areas of a node and below', () => {
    const file = toRegistryFile({
      ...scenario,
      faults: [{ kind: 'wrong-area', target: small.unit, factor: 0.5 }],
    })
    expect(areasOf(file, small.unit)).toEqual(areasOf(right, small.unit).map((areaM2) => areaM2 / 2))
    expect(areasOf(file, 'b1u2')).toEqual(areasOf(right, 'b1u2'))
  })

  it('wrong parent: the registry places a unit elsewhere, with parents still first', () => {
    const file = toRegistryFile({
      ...scenario,
      faults: [{ kind: 'wrong-parent', target: small.unit, parent: small.otherBuilding }],
    })
    expect(file.nodes.find(({ key }) => key === small.unit)?.parent).toBe(small.otherBuilding)
    expect(file.nodes).toHaveLength(right.nodes.length)
    const seen = new Set<string>()
    for (const { key, parent } of file.nodes) {
      expect(parent === null || seen.has(parent)).toBe(true)
      seen.add(key)
    }
  })

  it('refuses a mistake about an unknown node, and a node below itself', () => {
    const recordsWith = (faults: readonly Fault[]) => () => toRegistryFile({ ...scenario, faults })
    expect(recordsWith([{ kind: 'wrong-area', target: 'nowhere', factor: 2 }])).toThrow('nowhere')
    expect(recordsWith([{ kind: 'wrong-parent', target: small.building, parent: small.unit }])).toThrow(
      'itself',
    )
  })
})

it('a scenario contains faults with their times', () => {
  const from = START_S + 300
  const field = open([{ kind: 'clogged', target: small.valve, factor: 4, fromS: from, untilS: from + 600 }])
  const flows = Array.from({ length: 6 }, (_, step) => {
    field.step(NOW + step * 2000, 200)
    return unitFlow(stationOf(field), 0)
  })
  const [before = 0, during = 0, , , after = 0] = flows
  expect(during).toBeLessThan(before)
  expect(after).toBeCloseTo(before, 9)
  expect(() => open([{ kind: 'stuck', target: 'nobody' }])).toThrow('no such device')
})
