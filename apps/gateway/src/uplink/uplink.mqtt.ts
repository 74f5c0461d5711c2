import {
  ackMessage,
  type BirthMessage,
  type GatewayName,
  type HistoryRequest,
  historyRequest,
  timeMessage,
  toDownTopic,
  toMqttUsername,
  toUpTopic,
  type UpChannel,
} from '@isotherm/contract/mqtt'
import { connect } from 'mqtt'
import { readJson } from './read-payload.ts'
import { readTlsOptions, type TlsFiles } from './tls-files.ts'

export interface UplinkOptions extends GatewayName {
  readonly url: string
  /** Absent: its certificate is enough. */
  readonly password?: string | undefined
  readonly tls?: TlsFiles | undefined
  readonly boot: () => number
  readonly now: () => number
  readonly onConnected: () => void
  readonly onAck: (boot: number, seq: number) => void
  readonly onCommand: (message: unknown) => void
  readonly onHistory: (args: HistoryRequest['args']) => void
  readonly onProblem: (text: string) => void
}

/** The gateway's MQTT client. */
export interface Uplink {
  readonly isConnected: () => boolean
  /** Publishes at QoS 1. Resolves with the PUBACK; without a connection it waits for the next one. */
  readonly publish: (channel: UpChannel, payload: string) => Promise<void>
  readonly close: () => Promise<void>
}

const FIRMWARE = 'isotherm-gateway 0.2.0'
const CLOSE_MS = 1_000
/**
 * A clock that differs from the server's by more than this is reported, ms. The server corrects instants that are off
 * by more than two minutes.
 */
const CLOCK_MS = 5_000

export function openUplink(options: UplinkOptions): Uplink {
  const { tenant, gateway, now, tls = {} } = options
  const username = toMqttUsername(tenant, gateway)
  const upTopic = (channel: UpChannel): string => toUpTopic(tenant, gateway, channel)
  const birth = (online: boolean, reason?: string): string => {
    const message: BirthMessage = { v: 1, online, boot: options.boot(), ts: now(), firmware: FIRMWARE }
    return JSON.stringify(reason === undefined ? message : { ...message, reason })
  }
  const down = { cmd: toDownTopic(tenant, gateway, 'cmd'), ack: toDownTopic(tenant, gateway, 'ack') }
  const timeTopic = toDownTopic(tenant, gateway, 'time')
  let isClosing = false
  let lastProblem = ''
  const reportOnce = (text: string): void => {
    if (!isClosing && text !== lastProblem) options.onProblem(text)
    lastProblem = text
  }

  // Random, so that not all gateways reconnect at once.
  const reconnectPeriod = 500 + Math.round(1_500 * Math.random())
  const client = connect(options.url, {
    protocolVersion: 4,
    // The broker stores commands that arrive while the gateway is disconnected.
    clean: false,
    clientId: username,
    username,
    ...(options.password === undefined ? {} : { password: options.password }),
    keepalive: 60,
    reconnectPeriod,
    // Not before the certificate can be used.
    manualConnect: true,
    connectTimeout: 10_000,
    resubscribe: false,
    will: {
      topic: upTopic('birth'),
      payload: Buffer.from(birth(false, 'connection lost')),
      qos: 1,
      retain: true,
    },
  })

  const publish = async (channel: UpChannel, payload: string, retain = false): Promise<void> => {
    await client.publishAsync(upTopic(channel), payload, { qos: 1, retain })
  }

  function handleCommand(value: unknown): void {
    const request = historyRequest.safeParse(value)
    if (request.success) options.onHistory(request.data.args)
    else options.onCommand(value)
  }

  function handleTime(value: unknown): void {
    const time = timeMessage.safeParse(value)
    const offsetMs = time.success ? time.data.now - now() : 0
    if (Math.abs(offsetMs) > CLOCK_MS)
      reportOnce(`this machine's clock differs from the server's by ${Math.round(offsetMs / 1000)} s`)
  }

  client.on('connect', () => {
    lastProblem = ''
    client.subscribe([down.cmd, down.ack, timeTopic], { qos: 1 }, (error) => {
      if (error) reportOnce(`subscribing failed: ${error.message}`)
    })
    publish('birth', birth(true), true).catch(() => undefined)
    options.onConnected()
  })

  /** Uses the certificate in its files. Whether it can be used; if not, an earlier one stays. */
  function renewCertificate(): boolean {
    try {
      Object.assign(client.options, readTlsOptions(tls))
      return true
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      reportOnce(`the files of the certificate cannot be used and are read again: ${reason}`)
      return false
    }
  }
  let starting: NodeJS.Timeout | undefined
  /** Connects for the first time, once the certificate can be used: it may be half written. */
  function start(): void {
    const isUsable = renewCertificate()
    starting = isUsable ? undefined : setTimeout(start, reconnectPeriod)
    if (isUsable) client.connect()
  }

  // It may be renewed, which is why the broker ends a connection.
  client.on('reconnect', renewCertificate)
  client.on('error', (error) => reportOnce(`the broker: ${error.message}`))
  client.on('message', (topic, payload) => {
    const json = readJson(payload)
    if (json === undefined) return reportOnce(`${topic} contained no JSON`)
    if (topic === down.cmd) return handleCommand(json.value)
    if (topic === timeTopic) return handleTime(json.value)
    // An acknowledgement of raw frames has the field `raw` instead of `seq`; the gateway sends no raw frames.
    const ack = ackMessage.safeParse(json.value)
    if (ack.success) options.onAck(ack.data.boot, ack.data.seq)
  })
  start()

  return {
    isConnected: () => client.connected,
    publish: (channel, payload) => publish(channel, payload),
    async close() {
      isClosing = true
      clearTimeout(starting)
      // The client was never started, and has nothing to end.
      if (starting !== undefined) return
      if (client.connected) publish('birth', birth(false, 'switched off'), true).catch(() => undefined)
      // A clean end waits for unacknowledged messages, but not forever: a broker that is shutting down never
      // acknowledges.
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, CLOSE_MS)
      await Promise.race([client.endAsync(!client.connected), timeout.promise])
      clearTimeout(timer)
      client.stream?.destroy()
    },
  }
}
