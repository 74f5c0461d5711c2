import { randomUUID } from 'node:crypto'
import { toDownTopic } from '@isotherm/contract/mqtt'
import { connectAsync, type MqttClient } from 'mqtt'
import type { Cell } from '../cell/cell.ts'
import { toReplicaTopic } from '../mqtt/broker-topics.ts'
import { type Finding, fault, ok, toReason } from './finding.ts'

const RECIPE = 'see docs/recipes/run-several-servers.md, "Permissions"'
/** A gateway that does not exist: nobody receives what is published to it. */
const NOBODY = { tenant: 'isotherm-doctor', gateway: 'nobody' }

async function checkSubscription(client: MqttClient, filter: string): Promise<Finding> {
  try {
    const [granted] = await client.subscribeAsync(filter, { qos: 0 })
    if (granted === undefined || granted.qos >= 128) throw new Error('refused')
    await client.unsubscribeAsync(filter)
    return ok(`broker: the server may subscribe to ${filter}`)
  } catch (error) {
    return fault(`broker: the server may not subscribe to ${filter} (${toReason(error)})`, RECIPE)
  }
}

async function checkPublication(client: MqttClient): Promise<Finding> {
  const topic = toDownTopic(NOBODY.tenant, NOBODY.gateway, 'cmd')
  try {
    await client.publishAsync(topic, '', { qos: 1 })
    return ok('broker: the server may publish commands')
  } catch (error) {
    return fault(`broker: the server may not publish to ${topic} (${toReason(error)})`, RECIPE)
  }
}

/**
 * Connects to an external broker as the server does, in a session of its own, and tries its permissions. Its share group is
 * another one than that of the servers, so that no message of the field gets lost.
 */
export async function checkBroker(url: string, cell: Cell | undefined): Promise<Finding[]> {
  let client: MqttClient
  try {
    client = await connectAsync(
      url,
      {
        protocolVersion: 5,
        clean: true,
        clientId: `isotherm-doctor-${randomUUID().slice(0, 8)}`,
        connectTimeout: 5_000,
        reconnectPeriod: 0,
      },
      false,
    )
  } catch (error) {
    const what = `broker: no connection (${toReason(error)})`
    return [fault(what, 'check MQTT_URL with its user and password, and that the broker speaks MQTT 5')]
  }
  try {
    const findings = [ok('broker: connected with MQTT 5')]
    for (const tenant of cell?.tenants ?? ['+'])
      findings.push(await checkSubscription(client, `$share/isotherm-doctor/hx/v1/${tenant}/+/up/+`))
    return [
      ...findings,
      await checkSubscription(client, toReplicaTopic(cell)),
      await checkPublication(client),
    ]
  } finally {
    await client.endAsync(true)
  }
}
