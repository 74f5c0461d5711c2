import type { StrategyPlan, SupplyRules } from '@isotherm/contract/balancing/strategies'
import { runningStrategies } from '../storage/strategy-changes.pg.ts'
import { hasToRestore, type SupplyState } from '../storage/supply-state.ts'
import { isHeadMoving } from '../timeline/plan-head.ts'
import { applySupply, toRestoring } from './apply-supply.ts'
import type { StrategyContext, StrategyTickNeeds } from './tick-needs.ts'

/** Result of a tick of the supply temperature. */
export interface SupplyTick {
  /** When the next tick is due, Unix ms. */
  readonly nextAt: number
  /** Whether the loop still responds to a pump head that the strategy ordered, or will soon respond to one. */
  readonly isHeadMoving: boolean
}

/** Rules of the supply; without a lower head if the strategy must not control the pump. */
function toRules({ supply, pump }: Extract<StrategyPlan, { kind: 'energy' }>): SupplyRules | undefined {
  if (supply === undefined || pump === undefined) return supply
  const { minHeadShare: _, ...rules } = supply
  return rules
}

/** Tick of the supply temperature of a running strategy. */
export function createSupplyWatch(needs: StrategyTickNeeds) {
  return async ({ strategy, acting, now }: StrategyContext): Promise<SupplyTick> => {
    const { plan, supply } = strategy
    const rules = plan.kind === 'energy' ? toRules(plan) : undefined
    const toTick = (nextAt: number, state: SupplyState | null): SupplyTick => ({
      nextAt,
      isHeadMoving: isHeadMoving(state, now, needs.supply.timeFactor() ?? 1),
    })
    if (!rules && !hasToRestore(supply)) return toTick(Number.POSITIVE_INFINITY, supply)
    if (supply && now < supply.nextAt && (rules || supply.check.reason === 'stopped'))
      return toTick(supply.nextAt, supply)
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
    const state = await applySupply(needs, context)
    return toTick(state.nextAt, state)
  }
}
