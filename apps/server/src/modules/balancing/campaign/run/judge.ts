import { findAbort } from '@isotherm/balancing/plan/find-abort'
import type { BalanceMode, CampaignAbort } from '@isotherm/contract/balancing/campaign'
import { AppError } from '../../../../platform/app-error.ts'
import type { Place } from '../../loop/place.ts'
import type { Observation, Planner, RoundPlan, Verification } from '../../plan/planner.ts'
import { readMemory, withTakenBack } from '../../plan/round-memory.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import { listTakenBack } from './find-take-back.ts'
import type { AnsweredWave } from './watch-wave.ts'

export interface JudgeNeeds {
  readonly planner: Pick<Planner, 'observe' | 'verify'>
}

/** Input of a judgement: the place, the present instant (Unix ms), and the waves of the round. */
interface Judged {
  readonly place: Place
  readonly steps: readonly StoredStep[]
  readonly now: number
}

/** Verdict of a wave: wait for readings, abort, or go on. */
export type Verdict =
  | { readonly kind: 'wait' | 'go-on' }
  | { readonly kind: 'abort'; readonly reason: CampaignAbort }

export type RoundVerdict = Verdict & { readonly verification?: Verification | undefined }

/** The result of a measurement; undefined if the loop has no trusted readings or no station, or is too large. */
async function findMeasured<Reading>(reading: Promise<Reading>): Promise<Reading | undefined> {
  try {
    return await reading
  } catch (error) {
    const isUnmeasured = error instanceof AppError && UNMEASURED.has(error.code)
    if (isUnmeasured) return undefined
    throw error
  }
}

const UNMEASURED: ReadonlySet<string> = new Set([
  'balance.not-measured',
  'balance.no-valves',
  'balance.no-head',
  'balance.no-flow',
  'balance.no-rooms',
  'balance.no-station',
  'balance.too-large',
])

/** Maximum time to wait for readings, ms. */
const toLateMs = ({ lateMs, settleMs }: RoundPlan): number => Math.min(lateMs ?? settleMs, settleMs)

async function observe(
  planner: JudgeNeeds['planner'],
  place: Place,
  { plan, since, now }: { readonly plan: RoundPlan; readonly since: number; readonly now: number },
): Promise<Observation> {
  const seen = await findMeasured(planner.observe(place, plan, since))
  return seen ?? { at: now, flowM3H: new Map(), headKpa: undefined, coldRooms: plan.coldRooms }
}

/**
 * Index of a wave in its plan. A wave that takes valves back is inserted after a planned one, and has its limits.
 */
const toPlanned = ({ step }: StoredStep, steps: readonly StoredStep[]): number =>
  step - 1 - steps.filter((other) => other.kind === 'take-back' && other.step <= step).length

/** The plan of a round with what was taken back. */
function toCarriedOut(plan: RoundPlan, steps: readonly StoredStep[]): RoundPlan {
  const takenBack = listTakenBack(steps)
  if (takenBack.size === 0) return plan
  return { ...plan, memory: withTakenBack(readMemory(plan.memory), takenBack) }
}

/**
 * Judges a wave by the readings since its commands ended: as soon as every watched valve has a reading, or after the
 * maximum waiting time with the available readings. A reason to abort ends the campaign at once.
 */
export async function judgeWave(
  { planner }: JudgeNeeds,
  { place, steps, now }: Judged,
  wave: AnsweredWave & { readonly plan: RoundPlan; readonly step: StoredStep },
): Promise<Verdict> {
  const { plan, step, answeredAt } = wave
  const planned = plan.steps[toPlanned(step, steps)]
  if (!planned) throw new Error(`no wave ${step.step} was planned`)
  // The next waves are planned for a head that the pump did not reach.
  if (step.pump && wave.unanswered > 0) return { kind: 'abort', reason: { kind: 'unanswered', share: 1 } }
  const seen = await observe(planner, place, { plan, since: answeredAt, now })
  const isLate = now >= answeredAt + toLateMs(plan)
  const isMeasured = planned.minFlowM3H.every(([deviceId]) => seen.flowM3H.has(deviceId))
  // A few lost commands in each wave add up to many in the round.
  const commands = { given: wave.given, unanswered: wave.unanswered, missed: wave.missed.length }
  for (const { state, moved, unanswered, missed } of steps) {
    if (state !== 'done') continue
    commands.given += moved
    commands.unanswered += unanswered
    commands.missed += missed.length
  }
  const reason = findAbort(plan, planned, seen, commands)
  if (reason && (isLate || reason.kind !== 'not-measured')) return { kind: 'abort', reason }
  return { kind: !reason && (isLate || isMeasured) ? 'go-on' : 'wait' }
}

/** Result of the round; undefined without trusted readings, also of one of the required valves. */
async function verify(
  { planner }: JudgeNeeds,
  place: Place,
  { plan, mode, settledAt }: SettledRound,
  required: readonly number[],
): Promise<Verification | undefined> {
  return findMeasured(planner.verify(place, mode, plan, settledAt, required))
}

interface SettledRound {
  readonly plan: RoundPlan
  readonly mode: BalanceMode
  /** When the round has settled, Unix ms. */
  readonly settledAt: number
}

/**
 * Judges a round by the readings since it has settled: as soon as every moved valve has a reading, or after the maximum
 * waiting time with the available readings. The reasons to abort are the same as after a wave.
 */
export async function judgeRound(
  needs: JudgeNeeds,
  { place, steps, now }: Judged,
  round: SettledRound,
): Promise<RoundVerdict> {
  const { settledAt } = round
  const plan = toCarriedOut(round.plan, steps)
  const isLate = now >= settledAt + toLateMs(plan)
  const last = plan.steps.at(-1)
  // The readings are read first: a verification of a large loop takes a second, and must not be repeated while waiting.
  const seen = last && (await observe(needs.planner, place, { plan, since: settledAt, now }))
  const reason = last && seen && findAbort(plan, last, seen, { given: 0, unanswered: 0 })
  if (reason?.kind === 'not-measured' && !isLate) return { kind: 'wait' }
  const moved = steps.flatMap(({ moves }) => moves.map(({ deviceId }) => deviceId))
  const verification = await verify(needs, place, { ...round, plan }, isLate ? [] : moved)
  if (!verification) return isLate ? { kind: 'abort', reason: { kind: 'not-measured' } } : { kind: 'wait' }
  return reason ? { kind: 'abort', reason, verification } : { kind: 'go-on', verification }
}
