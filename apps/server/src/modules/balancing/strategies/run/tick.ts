import { createTimeZone } from '../../../../platform/time-zone.ts'
import { actFor, type Mandate, toOperation } from '../../campaign/run/act-for.ts'
import { readStrategy, recordOutcome } from '../storage/strategy-changes.pg.ts'
import { hasToRestore } from '../storage/supply-state.ts'
import { createStart } from './start-campaign.ts'
import { NEVER, type StrategyTickNeeds } from './tick-needs.ts'
import { createWatch } from './watch-campaign.ts'
import { createSupplyWatch } from './watch-supply.ts'

/**
 * Advances a strategy: each tick does the one thing that is due and returns when the next one is, Unix ms. It moves
 * no valve itself. It changes campaigns as the person who started it, with their present permissions. Throws
 * LostStrategy if another replica has the strategy.
 */
export function createStrategyTick(
  needs: StrategyTickNeeds,
): (id: number, worker: string) => Promise<number> {
  const { db, clock } = needs
  const watch = createWatch(needs)
  const start = createStart(needs)
  const watchSupply = createSupplyWatch(needs)

  return async (id, worker) => {
    const strategy = await readStrategy(db, id, worker)
    const now = clock.now()
    const mandate: Mandate = { ...strategy, mode: strategy.plan, operation: 'strategy' }
    const acting = await actFor(needs.findAccess, mandate, now)
    if (!acting) {
      const outcome = { at: now, kind: 'access-lost' } as const
      await recordOutcome(db, strategy, 'halt', { outcome }, toOperation(mandate, strategy.companyId, now))
      // The original offset is restored by the runner of stopped strategies.
      return hasToRestore(strategy.supply) ? now : NEVER
    }
    const context = { strategy, acting, now, zone: createTimeZone(strategy.timeZone) }
    const { nextAt: supplyAt, isHeadMoving } = await watchSupply(context)
    // A plan would predict flows by the head from before.
    if (isHeadMoving && strategy.campaignId === null) return supplyAt
    const nextAt = await (strategy.campaignId === null ? start(context) : watch(context, strategy.campaignId))
    return Math.min(nextAt, supplyAt)
  }
}
