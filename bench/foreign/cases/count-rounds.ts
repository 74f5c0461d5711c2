import type { DoneRound } from '../drive/campaign.ts'
import { buildingOf } from '../drive/registry.ts'
import type { CaseResult, RunResult } from './run-case.ts'

/** Smallest loss of flow that counts, as a share: other valves that open take a little from all. */
const LESS_SHARE = 0.01

/** Buildings with a measured room below 18 °C that got less flow in a round. */
export const coldGivenLess = ({ coldBuildings, beforeKgS, afterKgS }: DoneRound): number =>
  coldBuildings.filter((b) => (afterKgS[b] ?? 0) < (1 - LESS_SHARE) * (beforeKgS[b] ?? 0)).length

/** Buildings with a measured room below 18 °C whose valve a round orders to close. */
export function coldOrderedClosed({ coldBuildings, plan }: DoneRound): number {
  const closing = new Set(
    plan.steps.flatMap(({ moves }) =>
      moves.flatMap(({ deviceId, fromPct, toPct }) => (toPct < fromPct ? [buildingOf(deviceId)] : [])),
    ),
  )
  return coldBuildings.filter((building) => closing.has(building)).length
}

/** Verdicts on valves in all rounds of a run. */
export interface VerdictCount {
  /** Healthy valves with a verdict, and those called stuck or slipping. */
  readonly judged: number
  readonly stuck: number
  readonly slipping: number
  /** Blocked valves, and those called stuck or slipping. */
  readonly blocked: number
  readonly found: number
  /** Inverted valves, those called so, and others called so. */
  readonly inverted: number
  readonly invertedFound: number
  readonly invertedFalse: number
}

export function countVerdicts(
  { rounds, calledInverted }: RunResult,
  { blocked, inverted }: Pick<CaseResult, 'blocked' | 'inverted'>,
): VerdictCount {
  const judged = new Set<number>()
  const called = { stuck: new Set<number>(), slipping: new Set<number>() }
  for (const { verification, plan } of rounds) {
    for (const { deviceId, verdict } of verification?.members ?? []) {
      if (verdict === undefined || verdict === 'not-measured') continue
      judged.add(buildingOf(deviceId))
      if (verdict === 'stuck' || verdict === 'slipping') called[verdict].add(buildingOf(deviceId))
    }
    for (const { deviceId, excluded } of plan.members)
      if (excluded === 'stuck') called.stuck.add(buildingOf(deviceId))
  }
  const healthy = (buildings: ReadonlySet<number>): number =>
    [...buildings].filter((b) => !blocked.has(b)).length
  return {
    judged: healthy(judged),
    stuck: healthy(called.stuck),
    slipping: healthy(called.slipping),
    blocked: blocked.size,
    found: [...blocked].filter((b) => called.stuck.has(b) || called.slipping.has(b)).length,
    inverted: inverted.size,
    invertedFound: calledInverted.filter((b) => inverted.has(b)).length,
    invertedFalse: calledInverted.filter((b) => !inverted.has(b)).length,
  }
}

/** Whether the first round was verified within two attempts, or refused with a reason that is true. */
export function isVerified(
  { rounds, refusal }: RunResult,
  { foreign }: Pick<CaseResult, 'foreign'>,
): boolean {
  if (refusal) return (foreign.trueRefusals ?? []).includes(refusal.code)
  return rounds.some(({ kind }) => kind === 'verified')
}

/** Result of a campaign in words: verified, its refusal, or why its attempts were aborted. */
export function outcomeOf({ rounds, refusal }: RunResult): string {
  const aborts = rounds.flatMap(({ abort }) => (abort ? [abort.kind] : []))
  if (refusal) return [...aborts, `refused ${refusal.code}`].join(', ')
  const first = rounds.findIndex(({ kind }) => kind === 'verified')
  if (first < 0) return aborts.join(', ')
  return aborts.length === 0 ? 'verified' : `verified, aborted: ${aborts.join(', ')}`
}

/** Whether the true spread after a round lies between P10 and P90 of its plan; undefined without a range. */
export function isCovered({ plan, sigmaReturnK }: DoneRound): boolean | undefined {
  const [low, high] = [plan.indices.best?.sigmaReturnK, plan.indices.worst?.sigmaReturnK]
  if (low === undefined || high === undefined) return undefined
  return sigmaReturnK >= low && sigmaReturnK <= high
}
