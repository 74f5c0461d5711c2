import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import { Gauge, type Registry } from 'prom-client'
import { openStates } from './storage/state-machine.ts'

/** Metric of campaigns by state, without the final states. Each scrape reads the database. */
export function addCampaignMetrics(
  countOpen: () => Promise<ReadonlyMap<CampaignState, number>>,
  registry: Registry,
): void {
  new Gauge({
    name: 'isotherm_campaigns_open',
    help: 'Campaigns that have not ended, by state',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      // Without the database the other metrics must still be served; /readyz reports the outage.
      const counts = await countOpen().catch(() => undefined)
      this.reset()
      if (counts) for (const state of openStates) this.set({ state }, counts.get(state) ?? 0)
    },
  })
}
