import { type IdentificationPrior, identifyLoop, USUAL_PRIOR } from '../identify/identify-loop.ts'
import { clogCircuits, type HydraulicSnapshot, pinToSnapshot } from '../identify/identify-snapshot.ts'
import { loopAt } from '../invert/ring-mains.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
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

/**
 * The loop estimated from its records and all snapshots of a memory, pinned to the newest one; as recorded without a
 * snapshot. The same memory gives the same model.
 */
export function modelOf(records: LoopRecords, memory: StepMemory, flows: FlowKnowledge): LoopModel {
  const snapshots = snapshotsOf(memory)
  const newest = snapshots.at(-1)
  if (newest === undefined) return records.loop
  const loop = clogCircuits(loopAt(records, newest.flowKgS), newest)
  return pinToSnapshot(identifyLoop(loop, snapshots, priorOf(records, newest, flows)).model, newest)
}
