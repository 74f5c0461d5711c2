import { setTimeout as wait } from 'node:timers/promises'
import type { MqttClient } from 'mqtt'

const RETRY_MS = 100

/** Sends a message until it is acknowledged, also over new connections, like a device. */
export async function deliver(client: MqttClient, topic: string, payload: string): Promise<void> {
  for (;;) {
    try {
      await client.publishAsync(topic, payload, { qos: 1 })
      return
    } catch (error) {
      if (client.disconnecting) throw error
      // MQTT.js drops a repeated message if the connection breaks a second time.
      await wait(RETRY_MS)
    }
  }
}
