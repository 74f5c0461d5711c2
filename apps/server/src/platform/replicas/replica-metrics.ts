import { Gauge, type Registry } from 'prom-client'
import type { Owners } from './owners.ts'

/** Adds a gauge of the servers that share the work. */
export function addReplicaMetrics(registry: Registry, owners: Pick<Owners, 'count'>): void {
  new Gauge({
    name: 'isotherm_replicas',
    help: 'Servers of the same companies that sent this one a packet within 10 s, itself included',
    registers: [registry],
    collect() {
      this.set(owners.count())
    },
  })
}
