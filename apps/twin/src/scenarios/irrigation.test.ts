import { registryFile } from '@isotherm/contract/network/registry-file'
import { beforeEach, expect, it } from 'vitest'
import { createField, type Field } from '../field/field.ts'
import { stepPlant } from '../plant/plant.ts'
import { restoreSnapshot, takeSnapshot } from '../runtime/snapshot.ts'
import { createNamed } from './create-scenario.ts'
import { toRegistryFile } from './registry/registry.ts'

const NOW = 1_763_683_200_000
const scenario = createNamed('irrigation')
const GROUP = ['11120000000101', '11120000000102', '11120000000103', '11120000000104'] as const
const OTHER = '11120000000201'

let field: Field
let tick: number
beforeEach(() => {
  field = createField(scenario, { boot: 1, nowMs: NOW, pace: { minMoveS: 1 }, warmUp: 'cold' })
  tick = 0
})

/** Advances by half a minute. Returns the last values of each device. */
function live(): Map<string, Readonly<Record<string, number>>> {
  const shown = new Map<string, Readonly<Record<string, number>>>()
  for (let step = 0; step < 60; step++) {
    for (const { telemetry } of field.step(NOW + ++tick * 500, 30)) {
      for (const { d } of telemetry) for (const { id, m } of d) shown.set(id, m)
    }
  }
  return shown
}

function set(valves: readonly string[], opening: number, limit: { maxSec?: number } = {}): void {
  const [concentrator] = field.concentrators
  if (concentrator === undefined) throw new Error('no pump house')
  const at = NOW + tick * 500
  for (const dev of valves) {
    const order = {
      v: 1,
      id: `${dev}-${tick}`,
      dev,
      do: 'valve.set',
      args: { opening, ...limit },
      rev: tick + 1,
    }
    field.receive(concentrator, { ...order, iat: at, exp: at + 60_000 }, at)
  }
}

const flowOf = (shown: ReturnType<typeof live>, serial: string): number =>
  shown.get(serial)?.['heat.flow'] ?? Number.NaN
const PUMP = '44450000000001'

it('stops the pump and shuts its master valve while every valve is shut', () => {
  const shown = live()
  expect(flowOf(shown, PUMP)).toBe(0)
  const { 'pressure.supply': pressure = Number.NaN, ...rest } = shown.get(PUMP) ?? {}
  expect(rest).toMatchObject({ 'master.opening': 0, 'pump.speed': 0, 'pump.power': 0 })
  expect(Math.abs(pressure)).toBeLessThan(2)
  expect(shown.get(GROUP[0])?.['valve.opening']).toBe(0)
})

it('opens the master valve with the first valve and shuts it after the last', () => {
  const master = () => live().get(PUMP)?.['master.opening']
  set(GROUP.slice(0, 2), 100)
  expect(master()).toBe(100)
  set(GROUP.slice(0, 1), 0)
  expect(master()).toBe(100)
  set(GROUP.slice(1, 2), 0)
  expect(master()).toBe(0)
})

it('waters a group: each valve has 4 to 8 m³/h, and the pump has the sum', () => {
  set(GROUP, 100)
  const shown = live()
  const flows = GROUP.map((serial) => flowOf(shown, serial))
  for (const flow of flows) {
    expect(flow).toBeGreaterThan(3.5)
    expect(flow).toBeLessThan(11)
  }
  const sum = flows.reduce((total, flow) => total + flow, 0)
  expect(flowOf(shown, PUMP) / sum).toBeCloseTo(1, 1)
  expect(flowOf(shown, OTHER)).toBe(0)
})

it('closes a valve by itself after its longest time, without a command', () => {
  set(GROUP, 100, { maxSec: 40 })
  expect(flowOf(live(), GROUP[0])).toBeGreaterThan(3)
  const shown = live()
  expect(shown.get(GROUP[0])?.['valve.opening']).toBe(0)
  expect(shown.get(PUMP)?.['master.opening']).toBe(0)
})

it('gives each valve less while two groups run, and the full flow after the second is shut', () => {
  set(GROUP, 100)
  const alone = flowOf(live(), GROUP[0])
  set(['11120000000201', '11120000000202', '11120000000203', '11120000000204'], 100)
  const together = flowOf(live(), GROUP[0])
  expect(together).toBeLessThan(0.95 * alone)
  set(['11120000000201', '11120000000202', '11120000000203', '11120000000204'], 0)
  expect(flowOf(live(), GROUP[0]) / alone).toBeCloseTo(1, 1)
})

it('leaks through an open bypass while the master valve is open: the pump house delivers more than the valves receive', () => {
  const leaked = () => {
    const shown = live()
    return flowOf(shown, PUMP) - GROUP.reduce((sum, serial) => sum + flowOf(shown, serial), 0)
  }
  field.inject({ kind: 'bypass', target: OTHER, share: 0.2 })
  expect(leaked()).toBe(0)
  set(GROUP, 100)
  expect(leaked()).toBeGreaterThan(1)
  expect(flowOf(live(), OTHER)).toBe(0)
})

it('wets the soil of the watered group, as its probe shows, while the soil of the others dries', () => {
  const moistureOf = (shown: ReturnType<typeof live>, serial: string) =>
    shown.get(serial)?.['soil.moisture'] ?? Number.NaN
  const before = live()
  set(GROUP, 100)
  const after = live()
  expect(moistureOf(after, GROUP[0])).toBeGreaterThan(moistureOf(before, GROUP[0]) + 1)
  expect(moistureOf(after, OTHER)).toBeLessThanOrEqual(moistureOf(before, OTHER) + 0.3)
  expect(after.get(GROUP[1])).not.toHaveProperty(['soil.moisture'])
})

it('counts the rain of a month in buckets of 0.2 mm, and has wetter soil after rain', () => {
  const { plant } = field
  const [station] = plant.stations
  if (station?.soil === undefined) throw new Error('no ground')
  const { soil } = station
  let [rained, wetted] = [0, 0]
  for (let hour = 0; hour < 30 * 24; hour++) {
    const before = { rain: soil.rainedMm[0] ?? 0, water: soil.waterMm[0] ?? 0 }
    stepPlant(plant, 3600)
    if ((soil.rainedMm[0] ?? 0) - before.rain < 0.5) continue
    rained++
    if ((soil.waterMm[0] ?? 0) > before.water) wetted++
  }
  expect(rained).toBeGreaterThan(5)
  expect(wetted).toBe(rained)
  const shown = live().get(PUMP)?.['rain.total'] ?? 0
  expect(shown).toBeCloseTo(Math.floor((soil.rainedMm[0] ?? 0) * 5) / 5, 9)
  expect(shown).toBeGreaterThan(5)
})

it('continues bit by bit from a snapshot, including soil and master valve', () => {
  set(GROUP, 100)
  live()
  const saved = takeSnapshot(field, 1)
  const at = tick
  const rest = live()
  const end = takeSnapshot(field, 1)
  field = createField(scenario, { boot: 1, nowMs: NOW, pace: { minMoveS: 1 }, warmUp: 'cold' })
  restoreSnapshot(saved, field)
  tick = at
  expect(live()).toEqual(rest)
  expect(takeSnapshot(field, 1)).toEqual(end)
})

it('describes valves that may shut, and no heating devices', () => {
  const { devices, nodes } = registryFile.parse(toRegistryFile(scenario))
  const valves = devices.filter(({ kind }) => kind === 'valve')
  expect(valves).toHaveLength(48)
  expect(valves.every(({ limits }) => limits?.minPct === 0)).toBe(true)
  expect(new Set(devices.map(({ kind }) => kind))).toEqual(new Set(['concentrator', 'station', 'valve']))
  expect(nodes.some(({ level }) => level === 8)).toBe(false)
  const metrics = new Set([...live().values()].flatMap((shown) => Object.keys(shown)))
  expect(metrics.has('temp.supply') || metrics.has('heat.power')).toBe(false)
})
