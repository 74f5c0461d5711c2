import { pascal } from '@isotherm/kernel/quantities'
import { runToEnd } from '@isotherm/kernel/run-to-end'
import type { CurveFinding } from '../identify/identify-curves.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import { isProof } from '../moves/test-moves.ts'
import {
  judgeMoves,
  type MoveJudgement,
  QUIET_LIMITS,
  SIGNIFICANT,
  TEMPERATURE_LIMITS,
  USUAL_LIMITS,
} from '../moves/verify.ts'
import type { FlowKnowledge, LoopReadings, LoopRecords } from '../records/loop-records.ts'
import { remember, type StepMemory, snapshotsOf } from '../step/step-memory.ts'
import { curvesOf } from '../step/step-model.ts'

/** An executed step with the readings after it; arrays by consumer. */
export interface JudgeOrder {
  /** The model of the plan (`modelOf` reproduces it), and the memory that the plan returned. */
  readonly model: LoopModel
  readonly memory: StepMemory
  /** The commanded moves, and the openings after them, 0..1. */
  readonly plan: Pick<MovePlan, 'moves' | 'openings'>
  /**
   * Readings after everything has settled. Without meters `flowKgS` are the flows from temperatures. `openings` are the
   * positions that valves report, 0..1; NaN without a report.
   */
  readonly readings: Pick<LoopReadings, 'meterKgS' | 'headPa'> & {
    readonly flowKgS?: Float64Array | undefined
    readonly openings?: Float64Array | undefined
  }
  /** Source of the flows; meters if absent. */
  readonly flows?: FlowKnowledge | undefined
  /** Records of the plan. Without them the valve curves of the model count as known. */
  readonly records?: LoopRecords | undefined
  /** True if few valves moved: then the flows of all others change only by noise. */
  readonly isTrim: boolean
}

export interface StepJudgement {
  /** One verdict for each move. */
  readonly verdicts: readonly MoveJudgement[]
  /** The memory including the results of these moves. */
  readonly memory: StepMemory
}

const join = (known: readonly number[], more: readonly number[]): number[] => [
  ...new Set([...known, ...more]),
]

/** A reported position is off the target if it differs by more than `away`, and unmoved if it differs by at most `still`; 0..1. */
const REPORTED = { away: 0.03, still: 0.015 } as const

/** Whether a valve reports the position that it had before its move. */
function reportsNoMove({ memory, plan, readings }: JudgeOrder, consumer: number): boolean {
  const shown = readings.openings?.[consumer] ?? Number.NaN
  const from = snapshotsOf(memory).at(-1)?.openings[consumer] ?? Number.NaN
  const isAway = Math.abs(shown - (plan.openings[consumer] ?? Number.NaN)) > REPORTED.away
  return isAway && Math.abs(shown - from) <= REPORTED.still
}

/** Verdict on a move of a valve with a stated curve: its reported position counts where flows do not show that it followed. */
function weighReport(judged: MoveJudgement, hasStayed: boolean): MoveJudgement {
  const { verdict, followed } = judged
  const isUnseen =
    verdict === 'too-small' || verdict === 'slipping' || (verdict === 'learn' && followed < HALF)
  return hasStayed && isUnseen ? { ...judged, verdict: 'stuck' } : judged
}

/** A valve that followed less than this share of its predicted change is nearer to unmoved. */
const HALF = 0.5
/** Probability from which a stem counts as stuck or slipping, and as following. */
const SURE = 0.8
/** Probability from which a stem counts as stuck if the flow by the recorded curve did not follow either. */
const LIKELY = 0.6

/** The loop after a step as one more snapshot; a consumer without a flow counts as before. */
function* findStems(
  { records, flows = 'metered', memory, plan, readings }: JudgeOrder,
  afterKgS: Float64Array,
) {
  const newest = snapshotsOf(memory).at(-1)
  if (records === undefined || newest === undefined) return undefined
  const flowKgS = newest.flowKgS.map((flow, i) => ((afterKgS[i] ?? 0) > 0 ? (afterKgS[i] ?? 0) : flow))
  const after = remember(memory, { headPa: readings.headPa, flowKgS, openings: plan.openings })
  return yield* curvesOf(records, after, flows, readings.openings)
}

/**
 * Verdict on a move of a valve with an unknown curve: stuck or slipping only if no plausible curve of a valve that follows
 * explains the flows.
 */
function weigh(judged: MoveJudgement, finding: CurveFinding): MoveJudgement {
  const { verdict } = judged
  if (verdict === 'not-measured') return judged
  const { stays, stops, slips } = finding.states
  if (stays + stops > (verdict === 'stuck' ? LIKELY : SURE)) return { ...judged, verdict: 'stuck' }
  if (stays + stops + slips > SURE) return { ...judged, verdict: 'slipping' }
  if (verdict !== 'stuck' && verdict !== 'slipping') return judged
  const isVisible = Math.abs(finding.expected) > SIGNIFICANT * finding.sigma
  return { ...judged, verdict: isVisible ? 'learn' : 'too-small' }
}

/**
 * Judges every move by the flows before and after it, and adds to the memory which valves follow, slip or are stuck. Consumers
 * without a flow are `not-measured`. Yields between parts of the work (a second for 1,000 valves of unknown curves), so that a
 * server can do other work. Worked example: judge-step.test.ts.
 */
export function* judgeInSteps(order: JudgeOrder): Generator<undefined, StepJudgement> {
  const { model, memory, plan, readings, isTrim, flows = 'metered' } = order
  const before = snapshotsOf(memory).at(-1)
  if (before === undefined) throw new RangeError('a judgement needs the memory of the planned step')
  const limits = flows === 'temperature-only' ? TEMPERATURE_LIMITS : isTrim ? QUIET_LIMITS : USUAL_LIMITS
  const afterKgS = flows === 'temperature-only' ? (readings.flowKgS ?? readings.meterKgS) : readings.meterKgS
  const source = (headPa: number) => ({ kind: 'head', head: pascal(headPa) }) as const
  const moved = new Set(plan.moves.map(({ consumer }) => consumer))
  const stems = yield* findStems(order, afterKgS)
  const verdicts = judgeMoves(
    model,
    solveLoop(model, before.openings, source(before.headPa)),
    solveLoop(model, plan.openings, source(readings.headPa)),
    Array.from(before.flowKgS, (flowBefore, consumer) => ({
      consumer,
      from: before.openings[consumer] ?? 0,
      to: plan.openings[consumer] ?? 0,
      flowBefore,
      flowAfter: afterKgS[consumer] ?? Number.NaN,
    })),
    limits,
  )
    .filter(({ consumer }) => moved.has(consumer))
    .map((judged) => {
      const finding = stems?.[judged.consumer]
      return finding ? weigh(judged, finding) : weighReport(judged, reportsNoMove(order, judged.consumer))
    })
  const consumersOf = (holds: (judged: MoveJudgement) => boolean): number[] =>
    verdicts.filter(holds).map(({ consumer }) => consumer)
  const follows = (consumer: number): boolean => (stems?.[consumer]?.states.follows ?? 1) > SURE
  return {
    verdicts,
    memory: {
      ...memory,
      proven: join(
        memory.proven,
        consumersOf((judged) => isProof(judged, limits) && follows(judged.consumer)),
      ),
      suspected: join(
        memory.suspected,
        consumersOf(({ verdict }) => verdict === 'slipping'),
      ),
      broken: join(
        memory.broken,
        consumersOf(({ verdict }) => verdict === 'stuck'),
      ),
    },
  }
}

/** Runs `judgeInSteps` to its end without yielding. */
export const judgeStep = (order: JudgeOrder): StepJudgement => runToEnd(judgeInSteps(order))
