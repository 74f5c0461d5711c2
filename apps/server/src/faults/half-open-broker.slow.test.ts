import { setTimeout as pause } from 'node:timers/promises'
import { toDownTopic, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { startBroker } from '@isotherm/engines/broker/broker'
import { connectAsync, type MqttClient } from 'mqtt'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import type { FieldHandlers } from '../platform/mqtt/broker-port.ts'
import { createEmbeddedBroker } from '../platform/mqtt/embedded.mqtt.ts'
import { createExternalBroker } from '../platform/mqtt/external.mqtt.ts'
import { toGatewayPassword } from '../platform/mqtt/gateway-access.ts'
import { startLink } from './link.testkit.ts'

const secret = 'a secret of the tests only'
const log = createLog({ logLevel: 'silent' })
const gateway = { tenant: 'demo', gateway: 'n1' }
const username = toMqttUsername(gateway.tenant, gateway.gateway)
const up = toUpTopic(gateway.tenant, gateway.gateway, 'telemetry')
const birth = toUpTopic(gateway.tenant, gateway.gateway, 'birth')
const down = toDownTopic(gateway.tenant, gateway.gateway, 'cmd')
const SETTLED = { timeout: 60_000, interval: 100 }
const TIMEOUT = { timeout: 200_000 }
/** The server's keepalive is 20 s: a ping at the latest after that, and half of it for the answer. */
const REPLACED_MS = 45_000

/** The server's side of messages: those that it stored, by topic. */
function createStore() {
  const stored = new Map<string, Set<string>>()
  const of = (topic: string): ReadonlySet<string> => stored.get(topic) ?? new Set()
  const handlers: FieldHandlers = {
    findAccess: async () => ({ state: 'in-use', version: 0 }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: () => undefined,
    async store({ topic, payload }) {
      stored.set(topic, new Set([...of(topic), Buffer.from(payload).toString()]))
    },
    onDelivered: () => undefined,
    onRefused: () => undefined,
    onReplicaMessage: () => undefined,
    onReplicaGap: () => undefined,
  }
  return { of, handlers }
}

/** A device that sends ten messages a second; `acknowledged` are those with a PUBACK. */
function startSending(device: MqttClient) {
  const acknowledged = new Set<string>()
  let [next, isOver] = [0, false]
  const sends: Promise<void>[] = []
  const sending = (async () => {
    while (!isOver) {
      const text = String(next++)
      const sent = device.publishAsync(up, text, { qos: 1 })
      sends.push(sent.then(() => void acknowledged.add(text)).catch(() => undefined))
      await pause(100)
    }
  })()
  return {
    acknowledged,
    count: () => next,
    async stop() {
      isOver = true
      await sending
      await Promise.all(sends)
    },
  }
}

test(
  'the connection to a broker that was silently dropped is replaced within its keepalive; no acknowledged message and no command is lost',
  TIMEOUT,
  async () => {
    const broker = await startBroker({
      host: '127.0.0.1',
      port: 0,
      authenticate: () => true,
      mayPublish: () => true,
      maySubscribe: () => true,
      store: async () => undefined,
    })
    const link = await startLink(broker.port)
    const { of, handlers } = createStore()
    const url = `mqtt://127.0.0.1:${link.port}?version=4&client=half-open`
    const server = createExternalBroker({ url, secret }, systemClock, log)
    await server.start(handlers)
    const device = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId: username })
    onTestFinished(async () => {
      await device.endAsync(true)
      await server.close()
      await link.close()
      await broker.close()
    })
    const commands: string[] = []
    device.on('message', (_topic, payload) => commands.push(payload.toString()))
    await device.subscribeAsync(down, { qos: 1 })
    const sending = startSending(device)
    onTestFinished(() => void sending.stop())
    await expect.poll(() => of(up).size, SETTLED).toBeGreaterThan(5)

    link.vanish()
    const vanishedMs = performance.now()
    const from = sending.count()
    const published = server.publish(down, 'open', 1)
    await expect.poll(() => [...of(up)].some((text) => Number(text) > from + 5), SETTLED).toBe(true)
    const replacedMs = performance.now() - vanishedMs
    expect(replacedMs).toBeLessThan(REPLACED_MS)
    await published
    await expect.poll(() => commands, SETTLED).toContain('open')
    await sending.stop()
    expect(sending.acknowledged.size).toBe(sending.count())
    await expect.poll(() => of(up).size, SETTLED).toBe(sending.count())
    console.log(`replaced after ${(replacedMs / 1_000).toFixed(1)} s, ${sending.count()} messages stored`)
  },
)

test(
  'a device that silently vanished is reported; its new connection takes over; no acknowledged message is lost',
  TIMEOUT,
  async () => {
    const config = { host: '127.0.0.1', port: 0, isPlain: true, maxConnections: 100, maxPending: 100, secret }
    const broker = createEmbeddedBroker(config, systemClock, log)
    const { of, handlers } = createStore()
    await broker.start(handlers)
    const link = await startLink(broker.port ?? 0)
    const open = (keepalive: number) =>
      connectAsync(`mqtt://127.0.0.1:${link.port}`, {
        clientId: username,
        username,
        password: toGatewayPassword(secret, gateway),
        clean: false,
        keepalive,
        reconnectPeriod: 200,
        will: { topic: birth, payload: Buffer.from(`lost ${keepalive}`), qos: 1, retain: false },
      })
    const first = await open(60)
    onTestFinished(async () => {
      first.end(true)
      await broker.close()
      await link.close()
    })
    const commands: string[] = []
    await first.subscribeAsync(down, { qos: 1 })
    const sending = startSending(first)
    onTestFinished(() => void sending.stop())
    await expect.poll(() => sending.acknowledged.size, SETTLED).toBeGreaterThan(5)

    link.vanish()
    // It notices nothing for a minute. Meanwhile the device starts again.
    const second = await open(4)
    second.on('message', (_topic, payload) => commands.push(payload.toString()))
    onTestFinished(() => void second.end(true))
    await broker.publish(down, 'open', 1)
    await expect.poll(() => commands, SETTLED).toEqual(['open'])
    const again = startSending(second)
    await expect.poll(() => again.acknowledged.size, SETTLED).toBeGreaterThan(5)
    await again.stop()
    for (const text of [...sending.acknowledged, ...again.acknowledged]) expect(of(up)).toContain(text)

    // Now for good: its keepalive ends and the broker says so.
    expect(of(birth)).not.toContain('lost 4')
    first.end(true)
    second.options.reconnectPeriod = 0
    link.vanish()
    await expect.poll(() => [...of(birth)], SETTLED).toContain('lost 4')
  },
)
