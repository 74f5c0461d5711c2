import { liveUntil, type Site } from '../plant/site.ts'
import { type DoneRound, executeRound, orRefused, rollBack } from './campaign.ts'
import type { ForeignPlanner } from './controller.ts'

const MODE = { kind: 'temperature', target: 'return', method: 'proportional' } as const
/** A strategy checks twice a day and starts a round above half a kelvin. */
const EVERY_S = 12 * 3600
const START_ABOVE_K = 0.5

/** Runs the project's proportional strategy until an instant, s since the start of the plant. */
export async function runProportionalStrategy(
  site: Site,
  planner: ForeignPlanner,
  untilS: number,
): Promise<void> {
  const rounds: DoneRound[] = []
  for (let at = site.plant.timeS; at < untilS; at += EVERY_S) {
    const plan = await orRefused(planner.plan(MODE, rounds))
    const isDue = !('code' in plan) && (plan.indices.before.sigmaReturnK ?? 0) > START_ABOVE_K
    if (!('code' in plan) && isDue && plan.steps.length > 0) {
      const done = await executeRound(site, planner, MODE, plan)
      rounds.push(done)
      if (done.kind === 'aborted') rollBack(site, done)
    }
    liveUntil(site, Math.min(untilS, at + EVERY_S))
  }
}
