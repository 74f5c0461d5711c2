import type { MetricName } from '@isotherm/contract/metrics'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import { connectAsync, type IClientOptions } from 'mqtt'
import { toGatewayPassword } from '../platform/mqtt/gateway-access.ts'
import type { TestServer } from './server.testkit.ts'

/** A node of the small registry at the broker of a test server, under the password it has. */
export async function connectNode(
  { mqttPort, config }: Pick<TestServer, 'mqttPort' | 'config'>,
  node: string,
  options: Pick<IClientOptions, 'will' | 'reconnectPeriod'> = {},
) {
  const username = toMqttUsername('demo', node)
  const toTopic = (channel: string) => `hx/v1/demo/${node}/${channel}`
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: node,
    username,
    password: toGatewayPassword(config.mqtt.secret, username),
    ...options,
  })
  return {
    client,
    toTopic,
    /** Resolves when the message is acknowledged: what it reports is stored. */
    async say(channel: string, message: object | string | Buffer): Promise<void> {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
      const payload = isRaw ? message : JSON.stringify(message)
      await client.publishAsync(toTopic(`up/${channel}`), payload, { qos: 1 })
    },
    leave: () => client.endAsync(),
  }
}

/** A node comes, reports what stands behind it measured just now, and leaves; what it reported is stored. */
export async function reportOnce(
  server: Parameters<typeof connectNode>[0],
  node: string,
  measured: Readonly<Record<string, Partial<Record<MetricName, number>>>>,
): Promise<void> {
  const { say, leave } = await connectNode(server, node)
  const ts = Date.now()
  await say('birth', { v: 1, online: true, boot: 1, ts })
  const d = Object.entries(measured).map(([id, m]) => ({ id, ts, m }))
  await say('telemetry', { v: 1, boot: 1, seq: 0, ts, d })
  await leave()
}

export type ConnectedNode = Awaited<ReturnType<typeof connectNode>>
