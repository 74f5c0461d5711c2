import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addBrokerMetrics } from './broker-metrics.ts'

test('the connections to the embedded broker are a metric by state; an external broker has none', async () => {
  const [embedded, external] = [new Registry(), new Registry()]
  addBrokerMetrics(embedded, { connections: { signedIn: 7, pending: 2 } })
  addBrokerMetrics(external, { connections: undefined })
  expect((await embedded.metrics()).match(/^isotherm_broker_connections.*/gm)).toEqual([
    'isotherm_broker_connections{state="signed-in"} 7',
    'isotherm_broker_connections{state="pending"} 2',
  ])
  expect((await external.metrics()).match(/^isotherm_broker_connections.*/gm)).toBeNull()
})
