import { createTimeZone } from '../../../../platform/time-zone.ts'
import { actFor, type Mandate, toOperation } from '../../campaign/run/act-for.ts'
import { noteOutcome, readStrategy } from '../storage/strategy-changes.pg.ts'
import { createBegin } from './start-campaign.ts'
import type { StrategyLookNeeds } from './tick-needs.ts'
import { createFollow } from './watch-campaign.ts'

const NEVER = Number.MAX_SAFE_INTEGER

/**
 * How a strategy goes on: one look does the one thing that is due and answers when to look again, Unix ms. It moves nothing
 * itself; what it does to campaigns it does as the person who started it, with what they may do now. Throws LostStrategy
 * for one that is another's now.
 */
export function createStrategyLook(
  needs: StrategyLookNeeds,
): (id: number, worker: string) => Promise<number> {
  const { db, clock } = needs
  const follow = createFollow(needs)
  const begin = createBegin(needs)

  return async (id, worker) => {
    const strategy = await readStrategy(db, id, worker)
    const now = clock.now()
    const mandate: Mandate = { ...strategy, mode: strategy.plan, operation: 'strategy' }
    const acting = await actFor(needs.findAccess, mandate, now)
    if (!acting) {
      const outcome = { at: now, kind: 'access-lost' } as const
      await noteOutcome(db, strategy, 'halt', { outcome }, toOperation(mandate, strategy.companyId, now))
      return NEVER
    }
    const sight = { strategy, acting, now, zone: createTimeZone(strategy.timeZone) }
    return strategy.campaignId === null ? begin(sight) : follow(sight, strategy.campaignId)
  }
}
