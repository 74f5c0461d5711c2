import { commandState, finalCommandStates } from '@isotherm/contract/command'
import { Gauge, type Registry } from 'prom-client'
import type { Commands } from './index.ts'

/** Adds the number of commands in each state that is not final; read from the database at each scrape. */
export function addCommandMetrics({ countOpen }: Pick<Commands, 'countOpen'>, registry: Registry): void {
  new Gauge({
    name: 'isotherm_commands_open',
    help: 'Open commands by state',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      // A failed read must not hide the other metrics; /readyz reports the database.
      const counts = await countOpen().catch(() => undefined)
      this.reset()
      if (!counts) return
      for (const state of commandState.options) {
        if (!finalCommandStates.has(state)) this.set({ state }, counts.get(state) ?? 0)
      }
    },
  })
}
