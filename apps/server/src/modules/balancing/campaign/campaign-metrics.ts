import { Gauge, type Registry } from 'prom-client'
import type { CampaignStore } from './storage/campaign-types.ts'
import { openStates } from './storage/state-machine.ts'

/** Shows how many campaigns stand in each state that is not final, as the store has it when asked. */
export function addCampaignMetrics(
  { countOpen }: Pick<CampaignStore, 'countOpen'>,
  registry: Registry,
): void {
  new Gauge({
    name: 'isotherm_campaigns_open',
    help: 'Balances of loops that are not at their end, by state',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      // While the store is away the other metrics are wanted all the more; /readyz says that it is.
      const counts = await countOpen().catch(() => undefined)
      this.reset()
      if (counts) for (const state of openStates) this.set({ state }, counts.get(state) ?? 0)
    },
  })
}
