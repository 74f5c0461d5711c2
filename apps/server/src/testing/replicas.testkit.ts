import { connectAsync, type MqttClient } from 'mqtt'
import { startMosquitto } from '../platform/mqtt/mosquitto.testkit.ts'
import { startTestServer, type TestServer } from './server.testkit.ts'

/** Two servers on the same stores and on a Mosquitto of this machine. */
export interface TestReplicas {
  readonly one: TestServer
  readonly two: TestServer
  /** Connects as a gateway. */
  connect(node: string): Promise<MqttClient>
  stop(): Promise<void>
}

export async function startTestReplicas(): Promise<TestReplicas> {
  const broker = await startMosquitto()
  const toSettings = (name: string) => ({ MQTT_URL: `${broker.url}?client=${name}` })
  const one = await startTestServer({ settings: toSettings('one') })
  const two = await startTestServer({ settings: toSettings('two'), beside: one })
  const clients: MqttClient[] = []
  return {
    one,
    two,
    async connect(node) {
      const client = await connectAsync(broker.url, { clientId: node, protocolVersion: 5 })
      clients.push(client)
      return client
    },
    async stop() {
      for (const client of clients) await client.endAsync(true)
      await two.stop()
      await one.stop()
      await broker.close()
    },
  }
}
