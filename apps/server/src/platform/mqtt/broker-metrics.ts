import { Gauge, type Registry } from 'prom-client'
import type { BrokerPort } from './broker-port.ts'

/** Adds a gauge of the connections to the embedded broker. */
export function addBrokerMetrics(registry: Registry, broker: Pick<BrokerPort, 'connections'>): void {
  new Gauge({
    name: 'isotherm_broker_connections',
    help: 'Connections to the embedded broker: signed-in, or pending because they have not signed in yet',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { connections } = broker
      if (!connections) return
      this.set({ state: 'signed-in' }, connections.signedIn)
      this.set({ state: 'pending' }, connections.pending)
    },
  })
}
