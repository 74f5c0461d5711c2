import type { CurveFinding } from '../identify/identify-curves.ts'
import { type IdentificationPrior, identifyLoop, USUAL_PRIOR } from '../identify/identify-loop.ts'
import { clogCircuits, type HydraulicSnapshot, pinToSnapshot } from '../identify/identify-snapshot.ts'
import { loopAt } from '../invert/ring-mains.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
import { findCurves, hasUnknownCurves } from './curved-loop.ts'
import { flowSigma, STEP_SIGMA } from './step-flows.ts'
import { type StepMemory, snapshotsOf } from './step-memory.ts'

/** Prior uncertainty of records and measurements for a loop at a snapshot. */
export const priorOf = (
  { mainsSigma }: Pick<LoopRecords, 'mainsSigma'>,
  { headPa, flowKgS }: HydraulicSnapshot,
  flows: FlowKnowledge,
): IdentificationPrior => ({
  ...USUAL_PRIOR,
  mains: mainsSigma ?? USUAL_PRIOR.mains,
  flow: new Float64Array(flowKgS.length).fill(flowSigma(flows)),
  headPa: STEP_SIGMA.head * headPa,
})

/** The recorded loop at the newest snapshot of a memory, with its clogged circuits; undefined without a snapshot. */
function recordedAt(records: LoopRecords, memory: StepMemory): LoopModel | undefined {
  const newest = snapshotsOf(memory).at(-1)
  return newest && clogCircuits(loopAt(records, newest.flowKgS), newest)
}

/**
 * What the snapshots of a memory show of the curves of valves, by consumer. Undefined without a snapshot, and if all
 * curves are stated. `reported` are positions that valves showed in the newest snapshot, 0..1. Yields between parts of the
 * work.
 */
export function* curvesOf(
  records: LoopRecords,
  memory: StepMemory,
  flows: FlowKnowledge,
  reported?: Float64Array,
): Generator<undefined, readonly CurveFinding[] | undefined> {
  const snapshots = snapshotsOf(memory)
  const [newest, loop] = [snapshots.at(-1), recordedAt(records, memory)]
  if (newest === undefined || loop === undefined || !hasUnknownCurves(records)) return undefined
  return yield* findCurves(loop, {
    records,
    snapshots,
    prior: priorOf(records, newest, flows),
    flows,
    reported,
  })
}

/**
 * The loop estimated from its records and all snapshots of a memory, pinned to the newest one; as recorded without a
 * snapshot. The same memory gives the same model.
 */
export function modelOf(records: LoopRecords, memory: StepMemory, flows: FlowKnowledge): LoopModel {
  const snapshots = snapshotsOf(memory)
  const [newest, loop] = [snapshots.at(-1), recordedAt(records, memory)]
  if (newest === undefined || loop === undefined) return records.loop
  return pinToSnapshot(identifyLoop(loop, snapshots, priorOf(records, newest, flows)).model, newest)
}
