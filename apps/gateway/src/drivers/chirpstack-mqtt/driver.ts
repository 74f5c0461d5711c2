import { randomUUID } from 'node:crypto'
import type { ChirpstackLine } from '@isotherm/contract/gateway-config'
import { connect, type MqttClient } from 'mqtt'
import { toBrokerOptions } from '../../field/broker-options.ts'
import type { DriverNeeds, PrepareDriver } from '../../field/driver.ts'
import type { DownlinkEnd, RadioDownlink, RadioDriverLine } from '../../field/radio-line.ts'
import { readJson } from '../../uplink/read-payload.ts'
import {
  ackEvent,
  downCommand,
  joinEvent,
  logEvent,
  toDownTopic,
  toEventFilter,
  toEventKind,
  txAckEvent,
  upEvent,
} from './events.ts'

export interface ChirpstackOptions {
  /**
   * Prefix of the client ids. Two gateways at one broker need different ones, or the broker disconnects them in turn.
   */
  readonly clientId: string
  readonly now: () => number
  /** Resolves when all readings so far are on the disk. */
  readonly stored: () => Promise<void>
}

/** Maximum number of unconfigured devices that are reported in the log. */
const MAX_REPORTED = 100
/** After the end of its validity a downlink may still be acknowledged with the next uplink, ms. */
const END_MS = 5_000

interface Pending {
  readonly isConfirmed: boolean
  readonly end: (end: DownlinkEnd) => void
}

/** Connects to the broker of an application and stays connected. Returns a function that closes the connection. */
function connectApplication(
  config: ChirpstackLine,
  line: RadioDriverLine,
  {
    clientId,
    now,
    stored,
    report,
    onUnknownDevice,
  }: ChirpstackOptions & Pick<DriverNeeds, 'report' | 'onUnknownDevice'>,
): () => Promise<void> {
  const { id, applicationId } = config
  /** Downlinks without a known result, by their id in the queue. */
  const pending = new Map<string, Pending>()
  const reported = new Set<string>()
  let lastProblem = ''
  const reportOnce = (text: string): void => {
    if (text !== lastProblem) report(`line ${id}: ${text}`)
    lastProblem = text
  }

  const client: MqttClient = connect(config.url, {
    ...toBrokerOptions(config, clientId),
    // The broker stores events that come while the gateway is away.
    clean: false,
  })

  function settle(queueId: string, end: DownlinkEnd): void {
    const found = pending.get(queueId)
    // A confirmed downlink ends with the answer of its device.
    if (found === undefined || (end === 'sent' && found.isConfirmed)) return
    pending.delete(queueId)
    found.end(end)
  }

  async function enqueue({ address, content, until }: RadioDownlink): Promise<DownlinkEnd> {
    if (content.kind !== 'payload' || content.port === undefined) return 'refused'
    const { data, port, isConfirmed } = content
    const queueId = randomUUID()
    const { promise, resolve } = Promise.withResolvers<DownlinkEnd>()
    pending.set(queueId, { isConfirmed, end: resolve })
    const command = downCommand.parse({
      id: queueId,
      devEui: address,
      confirmed: isConfirmed,
      fPort: port,
      data: Buffer.from(data).toString('base64'),
      expiresAt: new Date(until).toISOString(),
    })
    const timer = setTimeout(() => settle(queueId, 'not-acknowledged'), Math.max(until - now(), 0) + END_MS)
    // QoS 1 may deliver it twice; ChirpStack refuses a second downlink with the same id.
    client
      .publishAsync(toDownTopic(applicationId, address), JSON.stringify(command), { qos: 1 })
      .catch(() => {
        // The client is closed; the next process reads the device.
        settle(queueId, 'not-acknowledged')
      })
    const end = await promise
    clearTimeout(timer)
    return end
  }

  function handleUplink(value: unknown): boolean {
    const parsed = upEvent.safeParse(value)
    if (!parsed.success) return false
    const { deduplicationId: key, time, deviceInfo, fCnt, fPort, data, rxInfo } = parsed.data
    const isKnown = line.reported({
      address: deviceInfo.devEui,
      key,
      content: { port: fPort, data: Buffer.from(data, 'base64') },
      at: time === undefined ? now() : Date.parse(time),
      sequence: fCnt,
      rssi: rxInfo.length === 0 ? undefined : Math.max(...rxInfo.map(({ rssi }) => rssi)),
    })
    if (isKnown) return true
    const hex = Buffer.from(data, 'base64').toString('hex')
    onUnknownDevice({ line: id, address: deviceInfo.devEui, port: fPort, ...(hex === '' ? {} : { hex }) })
    if (!reported.has(deviceInfo.devEui) && reported.size < MAX_REPORTED) {
      reported.add(deviceInfo.devEui)
      report(`line ${id}: a device that the configuration does not have reports: ${deviceInfo.devEui}`)
    }
    return true
  }

  function handleAck(value: unknown): boolean {
    const parsed = ackEvent.safeParse(value)
    if (parsed.success)
      settle(parsed.data.queueItemId, parsed.data.acknowledged ? 'acknowledged' : 'not-acknowledged')
    return parsed.success
  }

  function handleTxAck(value: unknown): boolean {
    const parsed = txAckEvent.safeParse(value)
    if (parsed.success) settle(parsed.data.queueItemId, 'sent')
    return parsed.success
  }

  function handleLog(value: unknown): boolean {
    const parsed = logEvent.safeParse(value)
    if (!parsed.success) return false
    const { code, level, description, context, deviceInfo } = parsed.data
    const queueId = context.queue_item_id
    if (queueId !== undefined) settle(queueId, code === 'EXPIRED' ? 'expired' : 'refused')
    if (level === 'ERROR') reportOnce(`${deviceInfo.devEui}: ${code} ${description}`)
    return true
  }

  /** Handles an event; false if it is malformed. */
  function handle(kind: string, value: unknown): boolean {
    switch (kind) {
      case 'up':
        return handleUplink(value)
      case 'ack':
        return handleAck(value)
      case 'txack':
        return handleTxAck(value)
      case 'log':
        return handleLog(value)
      case 'join':
        return joinEvent.safeParse(value).success
      // Status, location and integration events are not used.
      default:
        return true
    }
  }

  async function take(topic: string, payload: Buffer): Promise<void> {
    const json = readJson(payload)
    if (json === undefined || !handle(toEventKind(topic), json.value))
      reportOnce(`${topic} contained no event of ChirpStack 4 in JSON`)
    await stored()
  }

  // PUBACK only after the readings are on the disk: the broker repeats what a killed gateway had not stored.
  client.handleMessage = (packet, done) => {
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    take(packet.topic, payload).then(
      () => done(),
      (error: Error) => done(error),
    )
  }
  client.on('connect', () => {
    client.subscribe(toEventFilter(applicationId), { qos: 1 }, (error, granted) => {
      if (error || granted?.some(({ qos }) => qos > 2)) {
        reportOnce(`the broker refused the events of application ${applicationId}`)
        return
      }
      lastProblem = ''
      line.opened({ enqueue })
    })
  })
  client.on('error', (error) => reportOnce(error.message))
  client.on('close', () => line.closed())

  return async () => {
    for (const { end } of pending.values()) end('not-acknowledged')
    pending.clear()
    await client.endAsync(true)
  }
}

/** Driver of ChirpStack 4 applications, through the broker of its MQTT integration. */
export const createChirpstack =
  (options: ChirpstackOptions): PrepareDriver<'chirpstack-mqtt'> =>
  async ({ report, onUnknownDevice }) => {
    const closers: (() => Promise<void>)[] = []
    return {
      start(lines) {
        for (const { config, line } of lines)
          closers.push(connectApplication(config, line, { ...options, report, onUnknownDevice }))
      },
      close: async () => {
        await Promise.all(closers.map((close) => close()))
      },
    }
  }
