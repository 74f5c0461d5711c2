import { readStrategy, stoppedStrategies } from '../storage/strategy-changes.pg.ts'
import { hasToRestore } from '../storage/supply-state.ts'
import { applySupply, toRestoring } from './apply-supply.ts'
import { NEVER, type StrategyTickNeeds } from './tick-needs.ts'

/**
 * Tick of a stopped strategy: restores the original offset of its station, in steps if the limits need them. It needs no
 * permission: the account that started the strategy may have lost its own. Throws LostStrategy.
 */
export function createRestoreTick(needs: StrategyTickNeeds): (id: number, worker: string) => Promise<number> {
  return async (id, worker) => {
    const strategy = await readStrategy(needs.db, id, worker, stoppedStrategies)
    const now = needs.clock.now()
    const { supply } = strategy
    if (!supply || !hasToRestore(supply)) return NEVER
    if (supply.check.reason === 'stopped' && now < supply.nextAt) return supply.nextAt
    const restoring = toRestoring(strategy, now)
    const context = {
      strategy,
      rows: stoppedStrategies,
      acting: restoring,
      restoring,
      rules: undefined,
      now,
    }
    const state = await applySupply(needs, context)
    return hasToRestore(state) ? state.nextAt : NEVER
  }
}
