import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { mayFlow } from '@isotherm/irrigation/run/run-machine'
import {
  type FlowExpectation,
  type FlowFinding,
  isLineBroken,
  judgeFlow,
  learnFlow,
} from '@isotherm/irrigation/watch/expectation'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { MAX_BY_HAND_MS, toLeakFloor } from '../limits.ts'
import { findMeterId } from '../sensors/choose-sensors.ts'
import { listHealthyFlows, MIN_METERED_S } from '../storage/flows.pg.ts'
import { changeStep, type StoredRun, type StoredStep } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'
import type { RunnerNeeds } from './tick.ts'

/** Longest time since the last count for which the present flow counts, ms. After a longer outage the flow in between is unknown. */
const MAX_SPAN_MS = 60_000
/** Time after a valve opens or closes until the flow of the source is steady again, ms. */
const SETTLE_MS = 5_000

/** Steady flow at the meter of the source, m³/h, read after the last valve opened or closed; undefined while one moves. */
function findSourceFlow(
  { findMetric }: RunnerNeeds,
  { settings }: StoredSource,
  runs: readonly StoredRun[],
  flowing: readonly StoredStep[],
): number | undefined {
  const meterId = findMeterId(settings)
  if (meterId === undefined || !flowing.every(({ state }) => state === 'open')) return undefined
  const changes = runs.flatMap(({ steps }) =>
    steps.flatMap(({ openedMs, closedMs }) => [openedMs ?? 0, closedMs ?? 0]),
  )
  return findMetric(meterId, 'heat.flow', Math.max(0, ...changes) + SETTLE_MS)
}

/** Whether any valve of the source's groups is open without a step that opened it. */
function isOtherOpen(
  { findMetric }: RunnerNeeds,
  { groups }: StoredSource,
  flowing: readonly StoredStep[],
): boolean {
  const own = new Set(flowing.flatMap(({ valveIds }) => valveIds))
  return groups.some(({ settings }) =>
    settings.valves.some(
      ({ deviceId }) =>
        !own.has(deviceId) && (findMetric(deviceId, 'valve.opening') ?? 0) > OPENING_TOLERANCE_PCT,
    ),
  )
}

/** Flow through the valves of a step that are closing or stuck. */
interface ClosingFlow {
  readonly flowM3H: number
  /** Whether meters of the valves say so. */
  readonly isMeasured: boolean
}

/**
 * Flow of a step that is not confirmed closed: the sum over its open valves, each with its measured flow, or else its stated one. A
 * valve is open if its last reading since the step began shows it open; a reading older than an hour does not count. A valve without
 * such a reading counts as open until its device closes it by itself.
 */
function findClosingFlow(
  { findMetric, clock }: RunnerNeeds,
  { groups }: StoredSource,
  { valveIds, openedMs, closeDueMs, state }: StoredStep,
): ClosingFlow {
  const now = clock.now()
  const since = Math.max(openedMs ?? 0, now - MAX_BY_HAND_MS)
  const stated = new Map(
    groups.flatMap(({ settings }) => settings.valves.map((one) => [one.deviceId, one.flowM3H] as const)),
  )
  let [flowM3H, isMeasured] = [0, true]
  for (const id of valveIds) {
    const openingPct = findMetric(id, 'valve.opening', since)
    const isAssumed = openingPct === undefined && state === 'closing' && now <= (closeDueMs ?? 0)
    if (!isAssumed && (openingPct ?? 0) <= OPENING_TOLERANCE_PCT) continue
    const measured = findMetric(id, 'heat.flow', since)
    isMeasured &&= measured !== undefined
    flowM3H += measured ?? stated.get(id) ?? 0
  }
  return { flowM3H, isMeasured }
}

/** Counts the water of a step from the command to close until its valves are shut. */
async function meterClosing(needs: RunnerNeeds, source: StoredSource, step: StoredStep): Promise<void> {
  const now = needs.clock.now()
  const { meteredMs, closeDueMs, closeSentMs, closeTries } = step
  if (meteredMs === null) return
  // Devices close their valves by themselves at `closeDueMs`. The water up to then is counted already, and until the first command
  // to close the valve is assumed to be shut.
  const isFirst = closeTries <= 1 && meteredMs >= (closeDueMs ?? Number.POSITIVE_INFINITY)
  const fromMs = isFirst ? Math.max(meteredMs, closeSentMs ?? 0) : meteredMs
  if (now <= fromMs) return
  const { flowM3H, isMeasured } = findClosingFlow(needs, source, step)
  // `meteredMs` stays at the last instant with water: the rest of an interrupted step is computed from it.
  if (flowM3H === 0 && step.state === 'closing') return
  const volumeM3 = (flowM3H * (now - fromMs)) / HOUR_MS
  const isMetered = isMeasured && now - fromMs < MAX_SPAN_MS
  await changeStep(needs.db, step, {
    volume_m3: step.volumeM3 + volumeM3,
    metered_ms: now,
    measured_m3: step.measuredM3 + (isMetered ? volumeM3 : 0),
  })
}

/** Flow of a step by the meters of its valves, m³/h, read after they were opened; undefined if one valve does not measure. */
function findValveFlow({ findMetric }: RunnerNeeds, { valveIds, openedMs }: StoredStep): number | undefined {
  const flows = valveIds.flatMap((deviceId) => findMetric(deviceId, 'heat.flow', openedMs ?? 0) ?? [])
  return flows.length < valveIds.length ? undefined : flows.reduce((sum, flow) => sum + flow, 0)
}

/**
 * Adds the water of the steps that are not confirmed closed since the last count: by meters, or by the stated flow where none reports.
 * `lost` is the water of the source beyond that of the valves.
 */
export async function meterSteps(
  needs: RunnerNeeds,
  source: StoredSource,
  runs: readonly StoredRun[],
): Promise<void> {
  const { db, clock } = needs
  const flowing = runs.flatMap(({ steps }) => steps.filter(({ state }) => mayFlow(state)))
  const sourceM3H = findSourceFlow(needs, source, runs, flowing)
  const byValve = new Map(flowing.map((step) => [step.id, findValveFlow(needs, step)] as const))
  const known = [...byValve.values()].filter((flow) => flow !== undefined)
  const lostM3H =
    sourceM3H !== undefined && known.length === flowing.length && !isOtherOpen(needs, source, flowing)
      ? sourceM3H - known.reduce((sum, flow) => sum + flow, 0)
      : undefined
  const isAlone = flowing.length === 1
  for (const step of flowing) {
    if (step.state === 'closing' || step.state === 'stuck') await meterClosing(needs, source, step)
    if (step.meteredMs === null || (step.state !== 'opening' && step.state !== 'open')) continue
    const now = Math.min(clock.now(), step.closeDueMs ?? Number.POSITIVE_INFINITY)
    const spanS = (now - step.meteredMs) / 1000
    if (spanS <= 0) continue
    const isRecent = clock.now() - step.meteredMs < MAX_SPAN_MS
    const measured = isRecent ? (byValve.get(step.id) ?? (isAlone ? sourceM3H : undefined)) : undefined
    // The flow of an opening valve is not yet that of the step.
    const counts = step.state === 'open' && measured !== undefined
    const loses = isRecent && lostM3H !== undefined
    const volumeM3 = ((measured ?? step.flowM3H) * spanS) / 3600
    await changeStep(db, step, {
      volume_m3: step.volumeM3 + volumeM3,
      metered_ms: now,
      metered_s: step.meteredS + (counts ? spanS : 0),
      metered_m3: step.meteredM3 + (counts ? volumeM3 : 0),
      measured_m3: step.measuredM3 + (measured === undefined ? 0 : volumeM3),
      is_alone: step.isAlone && isAlone,
      lost_m3: step.lostM3 + (loses ? (lostM3H * spanS) / 3600 : 0),
      lost_s: step.lostS + (loses ? spanS : 0),
    })
  }
}

/** The flow that a step should have: learned from its valves' earlier waterings, or stated. */
export const readExpectation = async (db: Database, step: StoredStep): Promise<FlowExpectation> =>
  learnFlow(step.flowM3H, await listHealthyFlows(db, step))

/** Compares the water of a finished step with the expectation; undefined if it is as expected or was measured too briefly. */
export function judgeStep(
  { meteredM3, meteredS, lostM3, lostS }: StoredStep,
  expected: FlowExpectation,
  { settings }: StoredSource,
): FlowFinding | 'line-break' | undefined {
  const isBroken =
    lostS >= MIN_METERED_S && isLineBroken((lostM3 * 3600) / lostS, toLeakFloor(settings), expected)
  if (isBroken) return 'line-break'
  return meteredS < MIN_METERED_S ? undefined : judgeFlow((meteredM3 * 3600) / meteredS, expected)
}
