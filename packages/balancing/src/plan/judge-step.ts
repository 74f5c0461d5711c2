import { pascal } from '@isotherm/kernel/quantities'
import { solveLoop } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import { isProof } from '../moves/test-moves.ts'
import { judgeMoves, type MoveJudgement, QUIET_LIMITS, USUAL_LIMITS } from '../moves/verify.ts'
import type { SeenLoop } from '../records/loop-records.ts'
import { type StepMemory, snapshotsOf } from '../step/step-memory.ts'

/** An executed step with the readings after it; arrays by consumer. */
export interface JudgeOrder {
  /** The model of the plan (`modelOf` reproduces it), and the memory that the plan returned. */
  readonly model: LoopModel
  readonly memory: StepMemory
  /** The commanded moves, and the openings after them, 0..1. */
  readonly plan: Pick<MovePlan, 'moves' | 'openings'>
  /** Readings after everything has settled. */
  readonly seen: Pick<SeenLoop, 'meterKgS' | 'headPa'>
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

/**
 * Judges every move by the flows before and after it, and adds to the memory which valves follow, slip or are stuck. Consumers
 * without a meter are `not-measured`. Worked example: judge-step.test.ts.
 */
export function judgeStep({ model, memory, plan, seen, isTrim }: JudgeOrder): StepJudgement {
  const before = snapshotsOf(memory).at(-1)
  if (before === undefined) throw new RangeError('a judgement needs the memory of the planned step')
  const limits = isTrim ? QUIET_LIMITS : USUAL_LIMITS
  const source = (headPa: number) => ({ kind: 'head', head: pascal(headPa) }) as const
  const moved = new Set(plan.moves.map(({ consumer }) => consumer))
  const verdicts = judgeMoves(
    model,
    solveLoop(model, before.openings, source(before.headPa)),
    solveLoop(model, plan.openings, source(seen.headPa)),
    Array.from(before.flowKgS, (flowBefore, consumer) => ({
      consumer,
      from: before.openings[consumer] ?? 0,
      to: plan.openings[consumer] ?? 0,
      flowBefore,
      flowAfter: seen.meterKgS[consumer] ?? Number.NaN,
    })),
    limits,
  ).filter(({ consumer }) => moved.has(consumer))
  const consumersOf = (holds: (judged: MoveJudgement) => boolean): number[] =>
    verdicts.filter(holds).map(({ consumer }) => consumer)
  return {
    verdicts,
    memory: {
      ...memory,
      proven: join(
        memory.proven,
        consumersOf((judged) => isProof(judged, limits)),
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
