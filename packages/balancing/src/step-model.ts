import { identifyLoop, USUAL_PRIOR } from './identify-loop.ts'
import { pinToSnapshot } from './identify-snapshot.ts'
import type { LoopModel } from './loop-model.ts'
import type { FlowKnowledge, LoopRecords } from './loop-records.ts'
import { flowSigma, STEP_SIGMA } from './step-flows.ts'
import { type StepMemory, snapshotsOf } from './step-memory.ts'

/**
 * The loop as its records and all snapshots of a memory have it, so that it repeats the newest one; as recorded where there
 * is none. The same memory gives the same model.
 */
export function modelOf({ loop }: LoopRecords, memory: StepMemory, flows: FlowKnowledge): LoopModel {
  const snapshots = snapshotsOf(memory)
  const newest = snapshots.at(-1)
  if (newest === undefined) return loop
  const flow = new Float64Array(loop.network.circuitCount).fill(flowSigma(flows))
  const prior = { ...USUAL_PRIOR, flow, headPa: STEP_SIGMA.head * newest.headPa }
  return pinToSnapshot(identifyLoop(loop, snapshots, prior).model, newest)
}
