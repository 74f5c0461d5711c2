import { setTimeout as pause } from 'node:timers/promises'
import {
  type ChildReading,
  type CommandMessage,
  commandMessage,
  MAX_CHILDREN,
  type ReplyMessage,
  replyCodes,
  toDownTopic,
  toMqttUsername,
  toUpTopic,
} from '@isotherm/contract/mqtt'
import type { Random } from '@isotherm/kernel/random'
import { connect, type MqttClient } from 'mqtt'
import type { Clock } from '../../platform/clock.ts'
import { toGatewayPassword } from '../../platform/mqtt/gateway-access.ts'

/** A valve's own record of a command; the server's state must agree with it. */
export interface ValveRecord {
  readonly message: CommandMessage
  /** Number of motor starts for the command. */
  executions: number
  /** Code of its last reply; 0 for done. */
  code: number
  isDone: boolean
}

export interface SimulatedValve {
  readonly serial: string
  rev: number
  openingPct: number
  readonly records: Map<string, ValveRecord>
}

export interface FieldOptions {
  readonly tenant: string
  readonly secret: string
  readonly mqttPort: number
  readonly clock: Clock
  readonly random: Random
}

/** Share of all messages. */
const shares = { swallowed: 0.04, repeated: 0.15, refused: 0.03, repliedTwice: 0.2 }
const REORDER_MS = 300
const STROKE_MS = 150
const REPORT_MS = 1_500
const AWAKE_MS = 1_500

/** A device that repeats each message until it is acknowledged. */
async function publishUntilAcknowledged(
  client: () => MqttClient | undefined,
  topic: string,
  payload: string,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    try {
      const taken = client()?.publishAsync(topic, payload, { qos: 1 })
      if (!taken) throw new Error('not connected')
      await Promise.race([taken, pause(5_000).then(() => Promise.reject(new Error('no answer')))])
      return
    } catch {
      await pause(50)
    }
  }
}

/**
 * A gateway with its valves and many faults: it drops, repeats and reorders messages, and loses its connection with all
 * messages in transit. A sleeping gateway connects for a short time now and then.
 */
export function startGateway(
  options: FieldOptions,
  serial: string,
  valves: readonly SimulatedValve[],
  sleeps: boolean,
) {
  const { tenant, secret, clock, random } = options
  const bySerial = new Map(valves.map((valve) => [valve.serial, valve]))
  let client: MqttClient | undefined
  let closed = false
  const seqs = { reply: 0, telemetry: 0 }
  const boot = 1 + Math.floor(random() * 1_000_000)

  const publish = (channel: 'reply' | 'telemetry', body: object): Promise<void> =>
    publishUntilAcknowledged(
      () => client,
      toUpTopic(tenant, serial, channel),
      JSON.stringify({ v: 1, boot, seq: seqs[channel]++, ts: clock.now(), ...body }),
      () => closed,
    )

  async function reply(message: CommandMessage, stage: ReplyMessage['stage'], code: number): Promise<void> {
    const times = random() < shares.repliedTwice ? 2 : 1
    for (let time = 0; time < times; time += 1) {
      await publish('reply', { id: message.id, dev: message.dev, stage, code })
    }
  }

  const report = async (): Promise<void> => {
    const readings = valves.map(
      ({ serial: id, openingPct }): ChildReading => ({ id, m: { 'valve.opening': openingPct } }),
    )
    for (let start = 0; start < readings.length; start += MAX_CHILDREN) {
      await publish('telemetry', { d: readings.slice(start, start + MAX_CHILDREN) })
    }
  }

  /** A valve recognises repeated commands by the revision and repeats its answer. */
  async function take(message: CommandMessage): Promise<void> {
    const valve = bySerial.get(message.dev)
    if (!valve) return
    const known = valve.records.get(message.id)
    if (known) {
      if (known.isDone || known.code !== 0) await reply(message, 'done', known.code)
      return
    }
    const record: ValveRecord = { message, executions: 0, code: 0, isDone: false }
    valve.records.set(message.id, record)
    if (message.exp <= clock.now()) record.code = replyCodes.expired
    else if (message.rev <= valve.rev) record.code = replyCodes.superseded
    else if (random() < shares.refused) record.code = replyCodes.deviceFailure
    if (record.code !== 0) return reply(message, 'accepted', record.code)
    valve.rev = message.rev
    record.executions += 1
    await reply(message, 'accepted', 0)
    await pause(STROKE_MS)
    if (valve.rev !== message.rev) return
    valve.openingPct = message.args.opening
    record.isDone = true
    await reply(message, 'done', 0)
    if (sleeps) await report()
  }

  function receive(payload: Buffer): void {
    const { success, data: message } = commandMessage.safeParse(JSON.parse(payload.toString()))
    // It has no history to send.
    if (!success || random() < shares.swallowed) return
    const times = random() < shares.repeated ? 2 : 1
    for (let time = 0; time < times; time += 1) {
      pause(random() * REORDER_MS).then(() => take(message))
    }
  }

  function open(): MqttClient {
    const username = toMqttUsername(tenant, serial)
    const opened = connect(`mqtt://127.0.0.1:${options.mqttPort}`, {
      clientId: username,
      username,
      password: toGatewayPassword(secret, { tenant, gateway: serial }),
      // Messages while it is offline are lost.
      clean: true,
      reconnectPeriod: 150,
      connectTimeout: 2_000,
    })
    opened.on('error', () => undefined)
    opened.on('message', (_topic, payload) => receive(payload))
    opened.on('connect', () => {
      opened
        .subscribeAsync(toDownTopic(tenant, serial, 'cmd'), { qos: 1 })
        .then(report)
        .catch(() => undefined)
    })
    return opened
  }

  async function live(): Promise<void> {
    while (!closed) {
      client ??= open()
      if (!sleeps) {
        await pause(REPORT_MS * (0.5 + random()))
        if (random() < 0.2) client.stream.destroy()
        else await report()
        continue
      }
      await pause(AWAKE_MS)
      await client.endAsync(true).catch(() => undefined)
      client = undefined
      await pause(REPORT_MS * 2 * random())
    }
  }

  const living = live()
  return {
    async close(): Promise<void> {
      closed = true
      await client?.endAsync(true).catch(() => undefined)
      await living
    },
  }
}
