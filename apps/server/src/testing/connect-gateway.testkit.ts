import type { MetricName } from '@isotherm/contract/metrics'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import { connectAsync, type IClientOptions } from 'mqtt'
import { toGatewayPassword } from '../platform/mqtt/gateway-access.ts'
import type { TestServer } from './server.testkit.ts'

/** Connects a gateway of the small registry to the broker of a test server, with its password. */
export async function connectGateway(
  { mqttPort, config }: Pick<TestServer, 'mqttPort' | 'config'>,
  serial: string,
  {
    tenant = 'demo',
    ...options
  }: Pick<IClientOptions, 'will' | 'reconnectPeriod'> & { readonly tenant?: string } = {},
) {
  const username = toMqttUsername(tenant, serial)
  const toTopic = (channel: string) => `hx/v1/${tenant}/${serial}/${channel}`
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: username,
    username,
    password: toGatewayPassword(config.mqtt.secret, { tenant, gateway: serial }),
    ...options,
  })
  return {
    client,
    toTopic,
    /** Publishes a message. Resolves when it is acknowledged, so its readings are stored. */
    async send(channel: string, message: object | string | Buffer): Promise<void> {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
      const payload = isRaw ? message : JSON.stringify(message)
      await client.publishAsync(toTopic(`up/${channel}`), payload, { qos: 1 })
    },
    leave: () => client.endAsync(),
  }
}

/** Connects a gateway, sends present measurements of devices behind it, and disconnects. The readings are then stored. */
export async function reportOnce(
  server: Parameters<typeof connectGateway>[0],
  serial: string,
  measured: Readonly<Record<string, Partial<Record<MetricName, number>>>>,
): Promise<void> {
  const { send, leave } = await connectGateway(server, serial)
  const ts = Date.now()
  await send('birth', { v: 1, online: true, boot: 1, ts })
  const d = Object.entries(measured).map(([id, m]) => ({ id, ts, m }))
  await send('telemetry', { v: 1, boot: 1, seq: 0, ts, d })
  await leave()
}

export type ConnectedGateway = Awaited<ReturnType<typeof connectGateway>>
