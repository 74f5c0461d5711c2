import { commandState, finalCommandStates } from '@isotherm/contract/command'
import { Gauge, type Registry } from 'prom-client'
import type { Commands } from './index.ts'

/** Shows how many commands stand in each state that is not final, as the store has it when asked. */
export function addCommandMetrics({ countOpen }: Pick<Commands, 'countOpen'>, registry: Registry): void {
  new Gauge({
    name: 'isotherm_commands_open',
    help: 'Commands that are not at their end, by state',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      // While the store is away the other metrics are wanted all the more; /readyz says that it is.
      const counts = await countOpen().catch(() => undefined)
      this.reset()
      if (!counts) return
      for (const state of commandState.options) {
        if (!finalCommandStates.has(state)) this.set({ state }, counts.get(state) ?? 0)
      }
    },
  })
}
