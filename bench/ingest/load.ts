import { quantile } from '@isotherm/kernel/statistics'
import mqtt, { type MqttClient } from 'mqtt'
import type { LoadResult, LoadSettings } from './load-settings.ts'
import { readMessages } from './messages.ts'

/**
 * The load generator. It is a separate process, so that it does not share a thread with the server. Its only argument is a
 * LoadSettings as JSON; its last line of output is a LoadResult.
 */
const settings: LoadSettings = JSON.parse(process.argv[2] ?? '{}')

const latenciesMs: number[] = []
let acknowledged = 0

const connect = (username: string, password: string, clientId: string) =>
  mqtt.connectAsync(settings.url, {
    username,
    password,
    clientId,
    clean: true,
    reconnectPeriod: 0,
    keepalive: 120,
  })

const publish = (client: MqttClient, topic: string, payload: string): Promise<void> => {
  const from = performance.now()
  return client.publishAsync(topic, payload, { qos: 1 }).then(() => {
    latenciesMs.push(performance.now() - from)
    acknowledged += 1
  })
}

/** Sends the messages of a client; at most `window` of them are unacknowledged at a time. */
async function sendWindow(client: MqttClient, topic: string, payloads: readonly string[]): Promise<void> {
  let next = 0
  const sendNext = async () => {
    for (let payload = payloads[next++]; payload !== undefined; payload = payloads[next++]) {
      await publish(client, topic, payload)
    }
  }
  await Promise.all(Array.from({ length: settings.window }, sendNext))
}

/** Sends at a constant rate and does not wait for acknowledgements, like real devices. */
async function sendPaced(
  client: MqttClient,
  topic: string,
  payloads: readonly string[],
  perS: number,
): Promise<void> {
  const pending: Promise<void>[] = []
  const from = performance.now()
  for (const [index, payload] of payloads.entries()) {
    const due = from + (index * 1000) / perS
    const wait = due - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    pending.push(publish(client, topic, payload))
  }
  await Promise.all(pending)
}

const clients = await Promise.all(
  settings.nodes.map((node) => connect(node.username, node.password, node.name)),
)
const messages = settings.nodes.map((node) => readMessages(settings, node))
const from = performance.now()
await Promise.all(
  clients.map((client, index) => {
    const topic = settings.nodes[index]?.topic ?? ''
    const payloads = messages[index] ?? []
    return settings.perS === undefined
      ? sendWindow(client, topic, payloads)
      : sendPaced(client, topic, payloads, settings.perS / clients.length)
  }),
)
const seconds = (performance.now() - from) / 1000
await Promise.all(clients.map((client) => client.endAsync()))

const result: LoadResult = {
  seconds,
  acknowledged,
  p50Ms: quantile(latenciesMs, 0.5) ?? 0,
  p99Ms: quantile(latenciesMs, 0.99) ?? 0,
}
console.log(JSON.stringify(result))
