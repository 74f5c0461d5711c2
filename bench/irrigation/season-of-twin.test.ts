import { isLineBroken, judgeFlow, learnFlow } from '@isotherm/irrigation/watch/expectation'
import {
  type DrySince,
  type Shown as Since,
  type SourceReading,
  watchDryRun,
  watchLeak,
} from '@isotherm/irrigation/watch/latch'
import { beforeEach, describe, expect, it } from 'vitest'
import { createField, type Field } from '../../apps/twin/src/field/field.ts'
import { createNamed } from '../../apps/twin/src/scenarios/create-scenario.ts'

const NOW = 1_763_683_200_000
const scenario = createNamed('irrigation')
const [house] = scenario.stations
if (house === undefined) throw new Error('no pump house')
const GROUPS = house.buildings.map(({ units }) => units.flatMap((unit) => house.units[unit] ?? []))
const STATION = house.stationSerial
/** The limits that the server has without settings. */
const limits = {
  leakM3H: 0.2,
  leakS: 120,
  dryRunS: 60,
  minInletKpa: -20,
  gapMs: 300_000,
  inletGapMs: 300_000,
}
const STEP_S = 30
const KG_S_TO_M3_H = 3.6

let field: Field
let tick: number
/** Flows that were learned, by group and by whether others were open. */
let learned: Map<string, number[]>
/** Neither condition of a dry pump is true. */
const NOT_SHOWN: Since = { sinceMs: undefined, seenMs: undefined }
const NEVER_DRY: DrySince = { still: NOT_SHOWN, low: NOT_SHOWN }
let latch: { leakSince: Since; isLeak: boolean; drySince: DrySince; isDry: boolean }
beforeEach(() => {
  field = createField(scenario, { boot: 1, nowMs: NOW, pace: { minMoveS: 1 }, warmUp: 'cold' })
  tick = 0
  learned = new Map()
  latch = { leakSince: NOT_SHOWN, isLeak: false, drySince: NEVER_DRY, isDry: false }
})

type Shown = ReadonlyMap<string, Readonly<Record<string, number>>>

/** Half a minute of the plant and of the wire. Returns the newest values of each device. */
function live(shown: Map<string, Readonly<Record<string, number>>>): Shown {
  const nowMs = NOW + ++tick * STEP_S * 1000
  for (const { telemetry } of field.step(nowMs, STEP_S))
    for (const { d } of telemetry) for (const { id, m } of d) shown.set(id, m)
  return shown
}

function order(serials: readonly string[], opening: number): void {
  const [concentrator] = field.concentrators
  if (concentrator === undefined) throw new Error('no concentrator')
  const at = NOW + tick * STEP_S * 1000
  for (const dev of serials) {
    const command = { v: 1, id: `${dev}-${tick}-${opening}`, dev, do: 'valve.set', args: { opening } }
    field.receive(concentrator, { ...command, rev: tick + 1, iat: at, exp: at + 60_000 }, at)
  }
}

const readSource = (shown: Shown): SourceReading => ({
  atMs: NOW + tick * STEP_S * 1000,
  flowM3H: shown.get(STATION)?.['heat.flow'] ?? 0,
  isPumping: (shown.get(STATION)?.['pump.speed'] ?? 0) > 0,
  inletKpa: shown.get(STATION)?.['pressure.return'],
})

/** Whether a reading shows a pump without water. */
function showsDry(reading: SourceReading): boolean {
  const { still, low } = watchDryRun(reading, limits, reading.atMs, NEVER_DRY)
  return still.sinceMs !== undefined || low.sinceMs !== undefined
}

const stated = (group: number): number =>
  (GROUPS[group] ?? []).reduce((sum, { designFlow }) => sum + KG_S_TO_M3_H * designFlow, 0)
const serialsOf = (group: number) => (GROUPS[group] ?? []).map(({ valveSerial }) => valveSerial)

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Waters some groups for ten minutes and rests for five; returns what is found. */
function water(...groups: readonly number[]): readonly string[] {
  const shown = new Map<string, Readonly<Record<string, number>>>()
  order(groups.flatMap(serialsOf), 100)
  // Valves move for ten seconds.
  live(shown)
  const openMs = NOW + tick * STEP_S * 1000
  const flows = groups.map((): number[] => [])
  const losses: number[] = []
  for (let step = 0; step < 20; step++) {
    live(shown)
    const source = readSource(shown)
    const sums = groups.map((group) =>
      serialsOf(group).reduce((sum, serial) => sum + (shown.get(serial)?.['heat.flow'] ?? 0), 0),
    )
    for (const [index, flow] of sums.entries()) flows[index]?.push(flow)
    losses.push((source.flowM3H ?? 0) - sums.reduce((sum, flow) => sum + flow, 0))
    const dry = watchDryRun(source, limits, openMs, latch.drySince)
    latch = { ...latch, drySince: dry, isDry: latch.isDry || dry.isReached }
  }
  order(groups.flatMap(serialsOf), 0)
  live(shown)
  const quietMs = NOW + tick * STEP_S * 1000 + 30_000
  for (let step = 0; step < 10; step++) {
    const leak = watchLeak(readSource(live(shown)), limits, quietMs, latch.leakSince)
    latch = { ...latch, leakSince: leak, isLeak: latch.isLeak || leak.isReached }
  }
  return groups.flatMap((group, index) => {
    const key = `${group} ${groups.length === 1}`
    const own = learned.get(key) ?? []
    const expected = learnFlow(stated(group), own)
    const flow = mean(flows[index] ?? [])
    if (isLineBroken(mean(losses), limits.leakM3H, expected)) return ['line-break']
    const finding = judgeFlow(flow, expected)
    if (finding === undefined) learned.set(key, [flow, ...own])
    return finding ?? []
  })
}

/** Waters every group so often that each has learned its flow. */
function learnAll(): void {
  for (let day = 0; day < 6; day++) for (const group of GROUPS.keys()) expect(water(group)).toEqual([])
}

describe('a season of the twin', () => {
  it('is healthy: 60 days of six groups, alone and in pairs, without a finding, a leak or a dry pump', () => {
    for (let day = 0; day < 60; day++) {
      for (const group of GROUPS.keys()) expect([day, group, ...water(group)]).toEqual([day, group])
      if (day % 3 === 0) expect([day, ...water(0, 1)]).toEqual([day])
    }
    expect(latch).toMatchObject({ isLeak: false, isDry: false })
  })
})

describe('found in the first watering after it happens', () => {
  it('a valve of four that stays shut', () => {
    learnAll()
    field.inject({ kind: 'stuck', target: serialsOf(2)[1] ?? '' })
    expect(water(2)).toEqual(['low-flow'])
    expect(water(3)).toEqual([])
  })

  it('a line that breaks before a valve, and the leak after it while the master valve is stuck open', () => {
    learnAll()
    field.inject({ kind: 'bypass', target: serialsOf(1)[0] ?? '', share: 0.3 })
    expect(water(1)).toEqual(['line-break'])
    expect(latch.isLeak).toBe(false)
    order(serialsOf(1), 100)
    live(new Map())
    field.inject({ kind: 'stuck', target: STATION })
    expect(water(1)).toEqual(['line-break'])
    expect(latch.isLeak).toBe(true)
  })

  it('a filter that clogs', () => {
    learnAll()
    for (const target of serialsOf(4)) field.inject({ kind: 'clogged', target, factor: 3 })
    expect(water(4)).toEqual(['low-flow'])
  })

  it('a well that runs dry: no flow, and the pump is protected within its time', () => {
    learnAll()
    field.inject({ kind: 'dry-well', target: STATION })
    expect(water(0)).toEqual(['no-flow'])
    expect(latch.isDry).toBe(true)
    const reading = { atMs: 0, flowM3H: 30, isPumping: true, inletKpa: -60 }
    expect(showsDry(reading)).toBe(true)
  })
})
