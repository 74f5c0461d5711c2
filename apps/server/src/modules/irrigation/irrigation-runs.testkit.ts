import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type IrrigationBench, startIrrigationBench } from './irrigation.testkit.ts'

export const sourceSettings = {
  name: '一号泵站',
  capacityM3H: 12,
  leadS: 0,
  groupDelayS: 0,
  afterOutage: 'resume' as const,
}

/** A source with two groups of two valves each, which every test of a file finds as new. */
export interface SourceOfTwoGroups {
  readonly bench: IrrigationBench
  /** As it was last read or changed. */
  source: IrrigationSource
  readonly groupIds: readonly number[]
  valveOf(serial: string): { readonly openingPct: number; readonly maxSec: number | undefined }
  /** Serials of the open valves. */
  openValves(): readonly string[]
  now(): ReturnType<IrrigationBench['source']>
  listFaultNames(): Promise<readonly string[]>
  lastRun(): Promise<
    Awaited<ReturnType<IrrigationBench['irrigation']['listRuns']>>['datalist'][number] | undefined
  >
  addGroup(name: string, serials: readonly string[]): Promise<number>
  /** A program of both groups, a minute each, in so many minutes from now. */
  addProgram(minutes?: number, runS?: number): Promise<void>
}

/** Starts the bench for the tests of this file. */
export function useSourceOfTwoGroups(): SourceOfTwoGroups {
  let bench: IrrigationBench | undefined
  let source: IrrigationSource | undefined
  let groupIds: readonly number[] = []
  const field: SourceOfTwoGroups = {
    get bench() {
      if (!bench) throw new Error('the bench has not started')
      return bench
    },
    get source() {
      if (!source) throw new Error('there is no source yet')
      return source
    },
    set source(changed) {
      source = changed
    },
    get groupIds() {
      return groupIds
    },
    valveOf: (serial) => field.bench.valves.get(serial) ?? { openingPct: Number.NaN, maxSec: undefined },
    openValves: () =>
      [...field.bench.valves].flatMap(([serial, { openingPct }]) => (openingPct > 0 ? [serial] : [])),
    now: () => field.bench.source(field.source.id),
    listFaultNames: async () => (await field.bench.listFaults()).map(({ what }) => what),
    async lastRun() {
      const { irrigation, call } = field.bench
      return (await irrigation.listRuns(call().caller, { limiter: { page: 1, size: 1 } })).datalist[0]
    },
    async addGroup(name, serials) {
      const valves = serials.map((serial) => ({
        deviceId: field.bench.idOf(serial),
        flowM3H: 6,
        maxS: 1_800,
      }))
      const settings = { name, mode: 'parallel' as const, valves }
      const given = { sourceId: field.source.id, settings }
      const { groups } = await field.bench.settings.setGroup(field.bench.call(), given)
      return groups.at(-1)?.id ?? 0
    },
    async addProgram(minutes = 2, runS = 60) {
      const local = field.bench.clock.now() + 8 * HOUR_MS + minutes * MINUTE_MS
      const plan = {
        days: { kind: 'every' as const, n: 1, from: 0 },
        starts: [{ kind: 'time' as const, minute: Math.floor(local / MINUTE_MS) % 1_440 }],
        entries: groupIds.map((groupId) => ({ groupId, runS })),
        seasonalPct: 100,
        together: false,
      }
      source = await field.bench.settings.setProgram(field.bench.call(), {
        sourceId: field.source.id,
        settings: { name: '晨灌', enabled: true, plan },
      })
    },
  }

  beforeAll(async () => {
    bench = await startIrrigationBench()
  })
  afterAll(() => bench?.close())
  beforeEach(async () => {
    const { clear, clock, db, settings, call } = field.bench
    await clear()
    // A second after a full minute: starts of programs are minutes.
    clock.shiftMs += MINUTE_MS + 1_000 - (clock.now() % MINUTE_MS)
    const node = await db.selectFrom('node').select('id').where('level', '=', 4).executeTakeFirstOrThrow()
    source = await settings.setSource(call(), { node: String(node.id), settings: sourceSettings })
    groupIds = [
      await field.addGroup('一组', ['C1V1', 'C1V2']),
      await field.addGroup('二组', ['C1V3', 'C1V4']),
    ]
  })
  return field
}
