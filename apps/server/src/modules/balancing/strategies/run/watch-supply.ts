import { runningStrategies } from '../storage/strategy-changes.pg.ts'
import { applySupply, toRestoring } from './apply-supply.ts'
import type { StrategyContext, StrategyTickNeeds } from './tick-needs.ts'

/** Tick of the supply temperature of a running strategy; returns when the next one is due, Unix ms. */
export function createSupplyWatch(needs: StrategyTickNeeds) {
  return async ({ strategy, acting, now }: StrategyContext): Promise<number> => {
    const { plan, supply } = strategy
    const rules = plan.kind === 'energy' ? plan.supply : undefined
    if (!rules && supply?.originalK === undefined) return Number.POSITIVE_INFINITY
    if (supply && now < supply.nextAt && (rules || supply.check.reason === 'stopped')) return supply.nextAt
    const restoring = toRestoring(strategy, now)
    // An operation is recorded once: the tick may need its own for a campaign.
    const { operation } = restoring
    const context = {
      strategy,
      rows: runningStrategies,
      acting: { ...acting, operation },
      restoring,
      rules,
      now,
    }
    return (await applySupply(needs, context)).nextAt
  }
}
