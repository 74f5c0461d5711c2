import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { BalanceIndices } from '@isotherm/contract/balancing/campaign'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PlannedStep, Planner, RoundPlan } from '../plan/planner.ts'

/** Settling time of a round in tests, ms. */
export const SETTLE_MS = 10_000
const MIN_FLOW = 0.1
const indices: BalanceIndices = { sigmaReturnK: 1 }

/** A valve of a test loop and its opening, %. */
export interface TestValve {
  readonly serial: string
  readonly deviceId: number
  readonly openingPct: number
}

/** Openings, %, by serial that are sent together. */
export type TestWave = readonly [kind: PlannedStep['kind'], openings: Readonly<Record<string, number>>]

/** Two valves open, and two others close after them. */
export const twoWaves = [
  ['open', { C1V1: 60, C2V1: 65 }],
  ['close', { C1V2: 40, C2V2: 35 }],
] as const satisfies readonly TestWave[]
/** Openings, %, by serial after the wave. */
export const afterTwoWaves = { C1V1: 60, C2V1: 65, C1V2: 40, C2V2: 35 }

/** A plan with given waves. */
export function createTestPlan(
  valves: readonly TestValve[],
  waves: readonly TestWave[],
  { node, plannedAt }: { readonly node: string; readonly plannedAt: number },
): RoundPlan {
  const bySerial = new Map(valves.map((valve) => [valve.serial, valve]))
  const toMove = ([serial, toPct]: readonly [string, number]) => {
    const valve = bySerial.get(serial)
    if (!valve) throw new Error(`no ${serial}`)
    return { deviceId: valve.deviceId, fromPct: valve.openingPct, toPct }
  }
  return {
    plannedAt,
    flows: 'metered',
    settleMs: SETTLE_MS,
    maxUnansweredShare: 0.3,
    coldRooms: 0,
    station: { before: { headKpa: 50 }, expected: { headKpa: 50 } },
    indices: { before: indices, expected: indices },
    members: valves.map(({ serial, deviceId, openingPct }) => ({
      deviceId,
      deviceName: serial,
      node,
      nestaddr: serial,
      areaM2: 100,
      before: { openingPct },
      expected: { openingPct },
    })),
    steps: waves.map(([kind, openings]) => ({
      kind,
      moves: Object.entries(openings).map(toMove),
      minFlowM3H: valves.map(({ deviceId }) => [deviceId, MIN_FLOW] as const),
      minHeadKpa: 30,
      maxHeadKpa: 70,
    })),
    memory: { learned: 1 },
  }
}

/** A plan that also sets the pump, before its waves or after them. */
export function withHead(plan: RoundPlan, when: 'first' | 'last', pump: PumpMove): RoundPlan {
  const [step] = plan.steps
  if (!step) throw new Error('a plan without waves')
  const head: PlannedStep = { ...step, kind: 'pump', moves: [], pump }
  const steps = when === 'first' ? [head, ...plan.steps] : [...plan.steps, head]
  return { ...plan, steps, station: { ...plan.station, pump } }
}

/** Constant readings of the loop. */
export interface TestReadings {
  /** Unix ms after which readings are missing; undefined without an end. */
  until: number | undefined
  headKpa: number | undefined
  coldRooms: number
  /** m³/h at each valve; undefined without readings. */
  flowM3H: number | undefined
}

export const createTestReadings = (): TestReadings => ({
  until: undefined,
  flowM3H: 1,
  headKpa: 50,
  coldRooms: 0,
})

/** A planner with the given readings at every valve. */
export const createTestPlanner = (
  readings: TestReadings,
  clock: Clock,
): Pick<Planner, 'observe' | 'verify'> => ({
  async observe(_place, { members }, since) {
    const { until, flowM3H, headKpa, coldRooms } = readings
    if (until !== undefined && since >= until)
      return { at: until, flowM3H: new Map(), headKpa: undefined, coldRooms }
    const flows = flowM3H === undefined ? [] : members.map(({ deviceId }) => [deviceId, flowM3H] as const)
    return { at: clock.now(), flowM3H: new Map(flows), headKpa, coldRooms }
  },
  async verify(_place, _mode, { members, memory }, _since, required = []) {
    const ids = new Set(readings.flowM3H === undefined ? [] : members.map(({ deviceId }) => deviceId))
    if (!required.every((deviceId) => ids.has(deviceId))) throw new AppError('balance.not-measured')
    return {
      station: { headKpa: readings.headKpa },
      indices,
      memory,
      members: members.map(({ deviceId, before }) => ({
        deviceId,
        verdict: 'accepted' as const,
        ...(readings.flowM3H === undefined ? {} : { after: before }),
      })),
    }
  },
})
