/**
 * All devices of a company in a process of their own. Concentrators stay connected; radios connect for each report. Each
 * IPC message is a FieldOrder; its answer is a FieldResult. The only argument is a FieldSettings as JSON.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { MetricName } from '@isotherm/contract/metrics'
import type { TelemetryMessage } from '@isotherm/contract/mqtt'
import { quantile } from '@isotherm/kernel/statistics'
import mqtt, { type MqttClient } from 'mqtt'
import { toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import { answerCommands } from '../server/answer-commands.ts'
import type { FieldOrder, FieldResult, FieldSettings } from './field-settings.ts'
import type { FleetGateway } from './fleet.ts'

const settings: FieldSettings = JSON.parse(process.argv[2] ?? '{}')
const fleet: readonly FleetGateway[] = JSON.parse(readFileSync(settings.fleetFile, 'utf8'))

/** Reports at work at a time when an order has no pace: as many devices come back at once behind one exchange. */
const AT_ONCE = 200
const CONNECTED_AT_ONCE = 50
const numbers = new Uint32Array(fleet.length)
let latenciesMs: number[] = []
let values = 0
let failures: string[] = []

const round = (value: number): number => Math.round(value * 100) / 100

/** Values of a report: a meter has seven, a valve five, a room sensor two. They vary by device and report. */
function toValues(kind: string, seed: number, turn: number): Partial<Record<MetricName, number>> {
  const swing = Math.sin(turn + seed)
  if (kind === 'heat-meter')
    return {
      'heat.energy': Math.round(Date.now() / 60_000 - 29_000_000 + (seed % 1_000)),
      'heat.volume': round(Date.now() / 600_000 - 2_900_000 + (seed % 1_000)),
      'heat.power': round(9 + 2 * swing),
      'heat.flow': round(1 + 0.2 * swing),
      'temp.supply': round(45 + swing),
      'temp.return': round(37 + swing),
      'bat.v': 3.6,
    }
  if (kind === 'valve')
    return {
      'valve.opening': 40 + ((seed + turn) % 40),
      'valve.target': 40 + ((seed + turn) % 40),
      'temp.supply': round(45 + swing),
      'temp.return': round(37 + swing),
      'bat.v': 3.6,
    }
  if (kind === 'room-sensor') return { 'temp.room': round(20.5 + swing), 'bat.v': 3.6 }
  if (kind === 'station')
    return {
      'temp.supply': round(47 + swing),
      'temp.return': round(38 + swing),
      'heat.flow': round(80 + swing),
    }
  return { 'temp.outdoor': round(-5 + swing) }
}

async function connect({ serial }: FleetGateway): Promise<MqttClient> {
  const client = await mqtt.connectAsync(settings.url, {
    ...toGatewayLogin(settings.secret, settings.tenant, serial),
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: 60_000,
    keepalive: 300,
  })
  // A broken connection fails the report on its way; after the report it does not matter.
  client.on('error', () => undefined)
  // Each message on its way listens for the end of the connection.
  client.setMaxListeners(0)
  return client
}

/** Publishes a text. Rejects if the connection ends before the acknowledgement. */
async function publishText(client: MqttClient, topic: string, text: string): Promise<void> {
  const lost = Promise.withResolvers<never>()
  const fail = () => lost.reject(new Error('the connection was lost'))
  client.once('close', fail)
  try {
    await Promise.race([client.publishAsync(topic, text, { qos: 1 }), lost.promise])
  } finally {
    client.off('close', fail)
  }
}

/** Publishes a message with the next number of the gateway and notes when it was acknowledged. */
async function publishMessage(index: number, client: MqttClient, d: TelemetryMessage['d']): Promise<void> {
  const seq = numbers[index] ?? 0
  numbers[index] = seq + 1
  const message: TelemetryMessage = { v: 1, boot: settings.boot, seq, ts: Date.now(), d }
  const topic = `hx/v1/${settings.tenant}/${fleet[index]?.serial}/up/telemetry`
  const text = JSON.stringify(message)
  const sent = performance.now()
  await publishText(client, topic, text)
  latenciesMs.push(performance.now() - sent)
  for (const { m } of d) values += Object.keys(m).length
}

async function publish(index: number, client: MqttClient): Promise<void> {
  const ts = Date.now()
  const turn = numbers[index] ?? 0
  for (const reporters of fleet[index]?.messages ?? []) {
    const d = reporters.map(({ serial, kind }, at) => ({
      id: serial,
      ts,
      m: toValues(kind, index + at, turn),
    }))
    await publishMessage(index, client, d)
  }
}

const clients = new Map<number, MqttClient>()

async function report(index: number): Promise<void> {
  const gateway = fleet[index]
  if (!gateway) return
  const connected = clients.get(index)
  if (connected) return publish(index, connected)
  const client = await connect(gateway)
  await publish(index, client)
  await client.endAsync()
}

/** Runs `work` for each number below `count`, `atOnce` at a time. */
async function forEach(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const workOff = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: atOnce }, workOff))
}

let turn = 0
const takeNext = (): number => turn++ % fleet.length
const reportNext = (): Promise<void> =>
  report(takeNext()).catch((error: unknown) => {
    failures.push(String(error))
  })

async function carryOut({ reports, seconds }: FieldOrder): Promise<FieldResult> {
  latenciesMs = []
  values = 0
  failures = []
  let lateMs = 0
  const started = performance.now()
  if (seconds === 0) await forEach(reports, AT_ONCE, reportNext)
  else {
    const pending: Promise<void>[] = []
    for (let nr = 0; nr < reports; nr += 1) {
      const ahead = started + (nr * seconds * 1_000) / reports - performance.now()
      if (ahead > 1) await wait(ahead)
      lateMs = Math.max(lateMs, -ahead)
      pending.push(reportNext())
    }
    await Promise.all(pending)
  }
  return {
    messages: latenciesMs.length,
    values,
    seconds: (performance.now() - started) / 1_000,
    p50Ms: quantile(latenciesMs, 0.5) ?? 0,
    p95Ms: quantile(latenciesMs, 0.95) ?? 0,
    p99Ms: quantile(latenciesMs, 0.99) ?? 0,
    lateMs,
    failed: failures.length,
    firstFailure: failures[0] ?? '',
  }
}

process.on('message', (order: FieldOrder) => {
  carryOut(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

const lasting = fleet.flatMap(({ isRadio }, index) => (isRadio ? [] : [index]))
await forEach(lasting.length, CONNECTED_AT_ONCE, async (at) => {
  const index = lasting[at] ?? 0
  const gateway = fleet[index]
  if (!gateway) return
  const client = await connect(gateway)
  clients.set(index, client)
  const { tenant, boot } = settings
  if (settings.answersCommands)
    await answerCommands(client, {
      tenant,
      serial: gateway.serial,
      boot,
      report: (valve, openingPct) =>
        publishMessage(index, client, [{ id: valve, m: { 'valve.opening': openingPct } }]),
    })
})
console.log(`FIELD ${lasting.length}`)
