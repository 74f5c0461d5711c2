import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { type Random, sampleNormal } from '@isotherm/kernel/random'
import { sum } from '@isotherm/kernel/statistics'
import { identifyLoop, USUAL_PRIOR } from '../identify/identify-loop.ts'
import { clogCircuits, type HydraulicSnapshot, pinToSnapshot } from '../identify/identify-snapshot.ts'
import { loopAt } from '../invert/ring-mains.ts'
import { type LoopModel, scaleCircuits, scalePipes } from '../loop/loop-model.ts'
import { bendValve } from '../loop/valve-curve.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
import { flowSigma, STEP_SIGMA } from './step-flows.ts'
import { type StepMemory, snapshotsOf } from './step-memory.ts'
import { priorOf } from './step-model.ts'

/** A sampled loop, and its newest snapshot. */
export interface PossibleLoop {
  readonly model: LoopModel
  readonly snapshot: HydraulicSnapshot
}

export interface SampleOptions {
  /** Rank of the site's records among all sites, 0..1. */
  readonly badness: number
  readonly random: Random
  /** Curves of the valves instead of the recorded ones. */
  readonly valves?: readonly ValveCharacteristic[] | undefined
}

/** The quality of a site's records is unknown too: errors as multiples of the usual ones (USUAL_PRIOR). */
const QUALITY = { best: 0.25, worst: 1.4 } as const
/** Iterations of an identification in a series of samples, each pinned to its snapshot. */
const ROUNDS = 2
/**
 * Standard deviation of a stem from its estimate: dead travel of 1 to 2 %, positions reported in whole per cent.
 */
const STEM_SIGMA = 0.006
/** Minimum opening of a valve in service. */
const MIN_STEM = 0.02

/** An opening with a sampled error, 0..1. */
export const sampleStem = (random: Random, opening: number): number =>
  Math.min(1, Math.max(MIN_STEM, sampleNormal(random, opening, STEM_SIGMA)))

/** Records with sampled errors, which are as large as the errors of the given records. */
function sampleRecords(
  { loop, mainsSigma }: Pick<LoopRecords, 'loop' | 'mainsSigma'>,
  share: number,
  random: Random,
): LoopModel {
  const quality = QUALITY.best + (QUALITY.worst - QUALITY.best) * share
  const draw = (sigma: number): number => sampleNormal(random, 0, quality * sigma)
  const { mains, circuit, kvs, rangeability } = USUAL_PRIOR
  const piped = scalePipes(
    loop,
    Float64Array.from(loop.pipes, (_, pipe) => Math.exp(draw(mainsSigma?.[pipe] ?? mains))),
  )
  const valves = piped.valves.map((valve) => bendValve(valve, draw(kvs), draw(rangeability)))
  const factor = Float64Array.from(valves, () => Math.exp(draw(circuit)))
  return scaleCircuits({ ...piped, valves }, factor)
}

/** Sampled snapshots: the error of a meter is the same in all of them, and the total is the station's. */
function sampleSnapshots(
  snapshots: readonly HydraulicSnapshot[],
  flows: FlowKnowledge,
  random: Random,
): HydraulicSnapshot[] {
  const count = snapshots[0]?.flowKgS.length ?? 0
  const error = Float64Array.from({ length: count }, () =>
    Math.exp(sampleNormal(random, 0, flowSigma(flows))),
  )
  return snapshots.map(({ headPa, flowKgS, openings }) => {
    const off = flowKgS.map((flow, i) => flow * (error[i] ?? 1))
    const share = sum(off) > 0 ? sum(flowKgS) / sum(off) : 1
    return {
      headPa: headPa * Math.exp(sampleNormal(random, 0, STEP_SIGMA.head)),
      flowKgS: off.map((flow) => share * flow),
      openings: openings.map((opening) => sampleStem(random, opening)),
    }
  })
}

/**
 * One sample of the loops that agree with the records and all snapshots of a memory. Records and measurements are
 * sampled with their own errors, and the loop is identified from them like the estimated loop from the real ones. For
 * linear parameters this is exactly the posterior distribution. Undefined without a snapshot. Source: randomised maximum
 * likelihood (Kitanidis 1995; Oliver, He, Reynolds 1996). Worked example: plan-confidence.test.ts.
 */
export function sampleLoop(
  records: LoopRecords,
  memory: StepMemory,
  flows: FlowKnowledge,
  { badness, random, valves }: SampleOptions,
): PossibleLoop | undefined {
  const seen = snapshotsOf(memory)
  const newest = seen.at(-1)
  if (newest === undefined) return undefined
  const at = loopAt(records, newest.flowKgS)
  const loop = clogCircuits(valves ? { ...at, valves } : at, newest)
  const recorded = sampleRecords({ ...records, loop }, badness, random)
  const snapshots = sampleSnapshots(seen, flows, random)
  const snapshot = snapshots.at(-1) ?? newest
  const { model } = identifyLoop(recorded, snapshots, priorOf(records, snapshot, flows), ROUNDS)
  return { model: pinToSnapshot(model, snapshot), snapshot }
}
