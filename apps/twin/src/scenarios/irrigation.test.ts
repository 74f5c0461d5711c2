import { registryFile } from '@isotherm/contract/registry-file'
import { beforeEach, expect, it } from 'vitest'
import { createField, type Field } from '../runtime/field.ts'
import { createNamed } from './create-scenario.ts'
import { toRegistryFile } from './registry.ts'

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

/** Half a minute goes by; answers what each device last showed. */
function live(): Map<string, Readonly<Record<string, number>>> {
  const shown = new Map<string, Readonly<Record<string, number>>>()
  for (let step = 0; step < 60; step++) {
    for (const { telemetry } of field.step(NOW + ++tick * 500, 30)) {
      for (const { d } of telemetry) for (const { id, m } of d) shown.set(id, m)
    }
  }
  return shown
}

function set(valves: readonly string[], opening: number): void {
  const [concentrator] = field.concentrators
  if (concentrator === undefined) throw new Error('no pump house')
  const at = NOW + tick * 500
  for (const dev of valves) {
    const order = { v: 1, id: `${dev}-${tick}`, dev, do: 'valve.set', args: { opening }, rev: tick + 1 }
    field.receive(concentrator, { ...order, iat: at, exp: at + 60_000 }, at)
  }
}

const flowOf = (shown: ReturnType<typeof live>, serial: string): number =>
  shown.get(serial)?.['heat.flow'] ?? Number.NaN
const PUMP = '44450000000001'

it('stands still with every valve shut, the pump against its closed pipe', () => {
  const shown = live()
  expect(flowOf(shown, PUMP)).toBe(0)
  expect(shown.get(PUMP)?.['pressure.supply']).toBeGreaterThan(400)
  expect(shown.get(GROUP[0])?.['valve.opening']).toBe(0)
})

it('waters a group: each valve takes its 4 to 8 m³/h, and the pump what all take together', () => {
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

it('gives each less when two groups run at once, and all again when the second is shut', () => {
  set(GROUP, 100)
  const alone = flowOf(live(), GROUP[0])
  set(['11120000000201', '11120000000202', '11120000000203', '11120000000204'], 100)
  const together = flowOf(live(), GROUP[0])
  expect(together).toBeLessThan(0.95 * alone)
  set(['11120000000201', '11120000000202', '11120000000203', '11120000000204'], 0)
  expect(flowOf(live(), GROUP[0]) / alone).toBeCloseTo(1, 1)
})

it('leaks through an open bypass: the pump house shows flow while nothing runs', () => {
  field.inject({ kind: 'bypass', target: OTHER, share: 0.2 })
  const shown = live()
  expect(flowOf(shown, PUMP)).toBeGreaterThan(1)
  expect(flowOf(shown, OTHER)).toBe(0)
})

it('describes itself with valves that may shut, and nothing of heat', () => {
  const { devices, nodes } = registryFile.parse(toRegistryFile(scenario))
  const valves = devices.filter(({ kind }) => kind === 'valve')
  expect(valves).toHaveLength(48)
  expect(valves.every(({ limits }) => limits?.minPct === 0)).toBe(true)
  expect(new Set(devices.map(({ kind }) => kind))).toEqual(new Set(['concentrator', 'station', 'valve']))
  expect(nodes.some(({ level }) => level === 8)).toBe(false)
  const metrics = new Set([...live().values()].flatMap((shown) => Object.keys(shown)))
  expect(metrics.has('temp.supply') || metrics.has('heat.power')).toBe(false)
})
