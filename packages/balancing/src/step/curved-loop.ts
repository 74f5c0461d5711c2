import { type CurveFinding, identifyCurves } from '../identify/identify-curves.ts'
import { type IdentificationPrior, identifyLoop } from '../identify/identify-loop.ts'
import type { HydraulicSnapshot } from '../identify/identify-snapshot.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
import { flowSigma } from './step-flows.ts'

/** Error of a change of ln ṁ between two windows without any move: meters repeat better than they agree. */
export const REPEAT_SIGMA: Readonly<Record<FlowKnowledge, number>> = {
  metered: 0.015,
  'temperature-only': 0.035,
}

/** Mains explain flows by the curves, curves by the heads behind the mains: alternations, and iterations of each. */
const ROUNDS = 2
const MAINS_ROUNDS = 2

/** Snapshots of a loop with what is known of them. */
export interface CurvedOrder {
  readonly records: Pick<LoopRecords, 'assumed' | 'curves'>
  readonly snapshots: readonly HydraulicSnapshot[]
  readonly prior: IdentificationPrior
  readonly flows: FlowKnowledge
  /** Stems that valves reported in the newest snapshot, 0..1. */
  readonly reported?: Float64Array | undefined
}

/** Whether the curve of any valve is unknown. */
export const hasUnknownCurves = ({ curves }: Pick<LoopRecords, 'curves'>): boolean =>
  curves?.includes('assumed') ?? false

/** Curves of a loop from all its snapshots, in turn with its mains. Yields between parts of the work. */
export function* findCurves(
  loop: LoopModel,
  { records, snapshots, prior, flows, reported }: CurvedOrder,
): Generator<undefined, readonly CurveFinding[]> {
  let valves = loop.valves
  let found: readonly CurveFinding[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { model: mains } = identifyLoop({ ...loop, valves }, snapshots, prior, MAINS_ROUNDS)
    found = yield* identifyCurves({
      mains,
      recorded: loop,
      unknown: records.curves?.map((source) => source === 'assumed'),
      plates: records.assumed?.plates,
      snapshots,
      flowSigma: flowSigma(flows),
      repeatSigma: REPEAT_SIGMA[flows],
      reported,
    })
    valves = found.map(({ curve }) => curve)
  }
  return found
}
