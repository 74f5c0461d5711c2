import { quantile } from '@isotherm/kernel/statistics'
import mqtt, { type MqttClient } from 'mqtt'
import { readMessages } from './messages.ts'
import type { LoadOrder, LoadResult } from './order.ts'

/**
 * The load generator, a process of its own so that it does not share the server's thread: takes a LoadOrder as its
 * only argument, prints a LoadResult as its last line.
 */
const order: LoadOrder = JSON.parse(process.argv[2] ?? '{}')

const latenciesMs: number[] = []
let acknowledged = 0

const connect = (username: string, password: string, clientId: string) =>
  mqtt.connectAsync(order.url, {
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

/** Sends a client's messages with `window` of them in flight. */
async function sendWindow(client: MqttClient, topic: string, payloads: readonly string[]): Promise<void> {
  let next = 0
  const sendNext = async () => {
    for (let payload = payloads[next++]; payload !== undefined; payload = payloads[next++]) {
      await publish(client, topic, payload)
    }
  }
  await Promise.all(Array.from({ length: order.window }, sendNext))
}

/** Sends at a constant rate, independent of the answers, like a real field. */
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

const clients = await Promise.all(order.nodes.map((node) => connect(node.username, node.password, node.name)))
const messages = order.nodes.map((node) => readMessages(order, node))
const from = performance.now()
await Promise.all(
  clients.map((client, index) => {
    const topic = order.nodes[index]?.topic ?? ''
    const payloads = messages[index] ?? []
    return order.perS === undefined
      ? sendWindow(client, topic, payloads)
      : sendPaced(client, topic, payloads, order.perS / clients.length)
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
