import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import type { Random } from '@isotherm/kernel/random'
import { sum } from '@isotherm/kernel/statistics'
import type { CurveFinding } from '../identify/identify-curves.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
import type { StepMemory } from './step-memory.ts'
import { curvesOf } from './step-model.ts'

/** Draws the curve of every valve for one sample of a loop. */
export type CurveSampler = (random: Random) => readonly ValveCharacteristic[]

/** Odds of the curves of a loop against the recorded one alone from which a valve shows that it has another curve. */
const SURE_ODDS = 20
/**
 * Number and share of such valves from which the shares of curves of the loop are known. One alone may report a wrong
 * opening. Equal-percentage valves with errors of 20 % of Kvs and 30 % of ln R show none, by `bench foreign` and
 * plan-confidence.slow.test.ts; where four of ten valves are linear, a first snapshot shows 8 to 28 %.
 */
const ENOUGH = { valves: 2, share: 0.05 } as const

/** Whether a valve shows by itself that it has another curve than the recorded one, the first of its curves. */
function showsOther({ likelihoods, shares }: CurveFinding): boolean {
  const mixed = sum(likelihoods.map((value, c) => value * (shares[c] ?? 0)))
  return mixed > SURE_ODDS * (likelihoods[0] ?? 0)
}

function showsOthers(found: readonly CurveFinding[]): boolean {
  const known = found.filter(({ likelihoods }) => likelihoods.some((value) => value > 0))
  return known.filter(showsOther).length >= Math.max(ENOUGH.valves, ENOUGH.share * known.length)
}

function drawOne({ curves, weights }: CurveFinding, random: Random): ValveCharacteristic | undefined {
  let left = random()
  return curves.find((_, c) => {
    left -= weights[c] ?? 0
    return left < 0
  })
}

/**
 * Sampler of the curves that nobody stated: by the weights that all snapshots give each valve, which are the shares of the
 * loop for a valve that shows nothing of its own. Undefined if too few valves show that they have another curve than the
 * recorded one. Yields between parts of the work. Worked example: drawn-curves.test.ts.
 */
export function* createCurveSampler(
  records: LoopRecords,
  memory: StepMemory,
  flows: FlowKnowledge,
): Generator<undefined, CurveSampler | undefined> {
  const found = yield* curvesOf(records, memory, flows)
  if (found === undefined || !showsOthers(found)) return undefined
  return (random) => records.loop.valves.map((valve, i) => (found[i] && drawOne(found[i], random)) ?? valve)
}
