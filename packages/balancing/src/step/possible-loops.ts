import { drawNormal, type Random } from '@isotherm/kernel/random'
import { sum } from '@isotherm/kernel/statistics'
import { identifyLoop, USUAL_PRIOR } from '../identify/identify-loop.ts'
import { type HydraulicSnapshot, pinToSnapshot } from '../identify/identify-snapshot.ts'
import { loopAt } from '../invert/ring-mains.ts'
import { type LoopModel, scaleCircuits, scalePipes } from '../loop/loop-model.ts'
import { bendValve } from '../loop/valve-curve.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
import { flowSigma, STEP_SIGMA } from './step-flows.ts'
import { type StepMemory, snapshotsOf } from './step-memory.ts'
import { priorOf } from './step-model.ts'

/** A loop as it may be, and what it was doing when it was seen last. */
export interface PossibleLoop {
  readonly model: LoopModel
  readonly snapshot: HydraulicSnapshot
}

/** How good the records of one site are is not known either: errors as shares of the usual ones (USUAL_PRIOR). */
const QUALITY = { best: 0.25, worst: 1.4 } as const
/** Rounds of an identification that is one of many, and is pinned to its snapshot. */
const ROUNDS = 2
/** Where a stem is beside where it is believed to be: dead travel of 1 to 2 %, positions shown in whole per cent. */
const STEM_SIGMA = 0.006
/** Below this an opening is no longer that of a valve in service. */
const LEAST_STEM = 0.02

/** A stem that is off by a draw, 0..1. */
export const drawStem = (random: Random, opening: number): number =>
  Math.min(1, Math.max(LEAST_STEM, drawNormal(random, opening, STEM_SIGMA)))

/** Records as they may have been: what is known of the loop is as far from them as from those that there are. */
function drawRecords({ loop, mainsSigma }: LoopRecords, share: number, random: Random): LoopModel {
  const quality = QUALITY.best + (QUALITY.worst - QUALITY.best) * share
  const draw = (sigma: number): number => drawNormal(random, 0, quality * sigma)
  const { mains, circuit, kvs, rangeability } = USUAL_PRIOR
  const piped = scalePipes(
    loop,
    Float64Array.from(loop.pipes, (_, pipe) => Math.exp(draw(mainsSigma?.[pipe] ?? mains))),
  )
  const valves = piped.valves.map((valve) => bendValve(valve, draw(kvs), draw(rangeability)))
  const factor = Float64Array.from(valves, () => Math.exp(draw(circuit)))
  return scaleCircuits({ ...piped, valves }, factor)
}

/** Every snapshot as it may have been: a meter is off alike in all, and the total is the station's. */
function drawSnapshots(
  snapshots: readonly HydraulicSnapshot[],
  flows: FlowKnowledge,
  random: Random,
): HydraulicSnapshot[] {
  const count = snapshots[0]?.flowKgS.length ?? 0
  const error = Float64Array.from({ length: count }, () => Math.exp(drawNormal(random, 0, flowSigma(flows))))
  return snapshots.map(({ headPa, flowKgS, openings }) => {
    const off = flowKgS.map((flow, i) => flow * (error[i] ?? 1))
    const share = sum(off) > 0 ? sum(flowKgS) / sum(off) : 1
    return {
      headPa: headPa * Math.exp(drawNormal(random, 0, STEP_SIGMA.head)),
      flowKgS: off.map((flow) => share * flow),
      openings: openings.map((opening) => drawStem(random, opening)),
    }
  })
}

/**
 * A loop drawn from what records and all snapshots of a memory leave open: records and measurements are each drawn with
 * their own errors, and the loop is identified from those as the believed one is from the real ones. Linear parts of it are
 * exactly so distributed as the posterior. `badness` 0..1 is how bad the records are among those of all sites. Undefined
 * without a snapshot.
 * Source: randomised maximum likelihood (Kitanidis 1995; Oliver, He, Reynolds 1996). Worked example: plan-confidence.test.ts.
 */
export function drawLoop(
  records: LoopRecords,
  memory: StepMemory,
  flows: FlowKnowledge,
  { badness, random }: { readonly badness: number; readonly random: Random },
): PossibleLoop | undefined {
  const seen = snapshotsOf(memory)
  const newest = seen.at(-1)
  if (newest === undefined) return undefined
  const recorded = drawRecords({ ...records, loop: loopAt(records, newest.flowKgS) }, badness, random)
  const snapshots = drawSnapshots(seen, flows, random)
  const snapshot = snapshots.at(-1) ?? newest
  const { model } = identifyLoop(recorded, snapshots, priorOf(records, snapshot, flows), ROUNDS)
  return { model: pinToSnapshot(model, snapshot), snapshot }
}
