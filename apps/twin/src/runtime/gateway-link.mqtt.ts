import {
  ackMessage,
  type BirthMessage,
  downChannels,
  historyRequest,
  type RawMessage,
  type ReplyMessage,
  rawAckMessage,
  type TelemetryMessage,
  timeMessage,
  toDownTopic,
  toUpTopic,
  type UpChannel,
} from '@isotherm/contract/mqtt'
import { connect, type MqttClient } from 'mqtt'
import { createHistoryBuffer } from '../devices/gateway/history-buffer.ts'
import { toGatewayLogin } from './gateway-login.ts'
import { parseJson, readFrames } from './read-payload.ts'

export interface LinkOptions {
  readonly url: string
  readonly secret: string
  readonly tenant: string
  readonly gateway: string
  readonly boot: () => number
  /** Present time factor of the plant. */
  readonly timeFactor: () => number
  /** True if it is only connected while it is awake; before sleep it disconnects cleanly. */
  readonly sleeps: boolean
  /** Maximum number of messages that are buffered while they cannot be sent. */
  readonly bufferMessages: number
  /** Clock of the twin, and clock of the gateway for time stamps. */
  readonly now: () => number
  readonly stamp: () => number
  /** Handles a parsed command; the returned replies are sent immediately. */
  readonly onCommand: (message: unknown) => readonly ReplyMessage[]
  /** Handles frames for the bus; the returned answers are sent immediately. */
  readonly onFrames: (frames: readonly Uint8Array[]) => readonly RawMessage[]
  /** Handles the server's time. */
  readonly onTime: (serverMs: number) => void
  readonly onProblem: (text: string) => void
}

/** A gateway's connection to the broker. */
export interface GatewayLink {
  readonly sendTelemetry: (messages: readonly TelemetryMessage[]) => void
  readonly sendReplies: (messages: readonly ReplyMessage[]) => void
  /** Sends frames of the bus; without a connection they are dropped. */
  readonly sendFrames: (messages: readonly RawMessage[]) => void
  /** Sends at most one buffered message as history; call about once per second. */
  readonly replay: () => void
  /** Sends a message of the past as history; settles when the broker acknowledged it. */
  readonly sendHistory: (message: TelemetryMessage) => Promise<void>
  /** Repeats the birth message after a change of the time factor. */
  readonly announce: () => void
  /** Switches the radio. Without it the connection is lost without a disconnect message. */
  readonly setRadio: (isOn: boolean) => void
  /** For a sleeping gateway: connects, or reports its sleep and disconnects after its last messages. */
  readonly setAwake: (isAwake: boolean) => void
  /** Settles when the first report got its PUBACK, or if there is nothing to wait for (no radio, or asleep). */
  readonly ready: Promise<void>
  readonly isConnected: () => boolean
  /** Number of messages that the broker has not acknowledged. */
  readonly inFlight: () => number
  readonly close: () => Promise<void>
}

const FIRMWARE = 'isotherm-twin 0.2.0'
const CLOSE_TIMEOUT_MS = 1000
/** How long a gateway waits for acknowledgements before sleep, ms. */
const LEAVE_TIMEOUT_MS = 5000

function openClient(options: LinkOptions, will: string): MqttClient {
  return connect(options.url, {
    protocolVersion: 4,
    clean: false,
    manualConnect: options.sleeps,
    ...toGatewayLogin(options.secret, options.tenant, options.gateway),
    keepalive: 60,
    // Random, so that not all gateways reconnect at once.
    reconnectPeriod: 500 + Math.round(1500 * Math.random()),
    connectTimeout: 10_000,
    resubscribe: false,
    will: {
      topic: toUpTopic(options.tenant, options.gateway, 'birth'),
      payload: Buffer.from(will),
      qos: 1,
      retain: true,
    },
  })
}

/**
 * Connects a gateway and keeps it connected; a sleeping gateway only while it is awake. Messages without a connection are
 * buffered and sent later.
 */
export function openLink(options: LinkOptions): GatewayLink {
  const { tenant, gateway, now, stamp } = options
  const birth = (online: boolean, reason?: string): string => {
    const timeFactor = options.timeFactor()
    const message: BirthMessage = {
      v: 1,
      online,
      boot: options.boot(),
      ts: stamp(),
      firmware: FIRMWARE,
      timeFactor,
    }
    return JSON.stringify(reason === undefined ? message : { ...message, reason })
  }
  const buffer = createHistoryBuffer(options.bufferMessages)
  const client = openClient(options, birth(false, 'connection lost'))
  const ready = Promise.withResolvers<void>()
  let isClosing = false
  let hasRadio = true
  let isAwake = !options.sleeps
  /** When it started to wait for acknowledgements before sleep, Unix ms. */
  let leavingSince: number | undefined
  /** Messages since it woke up, until it is connected. */
  let unsent: TelemetryMessage[] = []
  if (options.sleeps) ready.resolve()
  let inFlight = 0
  let lastProblem = ''
  // Reported once, not with every attempt to reconnect.
  const reportProblem = (problem: string): void => {
    if (isClosing || !hasRadio || problem === lastProblem) return
    lastProblem = problem
    options.onProblem(problem)
  }

  const publish = (channel: UpChannel, payload: string, retain = false, onAck?: () => void): void => {
    inFlight++
    client.publish(toUpTopic(tenant, gateway, channel), payload, { qos: 1, retain }, (error) => {
      inFlight--
      if (!error) onAck?.()
      else reportProblem(`${channel} was not delivered: ${error.message}`)
    })
  }

  client.on('connect', () => {
    lastProblem = ''
    client.subscribe(
      downChannels.map((channel) => toDownTopic(tenant, gateway, channel)),
      { qos: 1 },
      (error) => {
        if (error) reportProblem(`subscribing failed: ${error.message}`)
      },
    )
    publish('birth', birth(true), true)
    for (const message of unsent.splice(0)) sendLive(message)
  })
  client.on('error', (error) => reportProblem(error.message))
  client.on('message', (topic, payload) => {
    if (topic === toDownTopic(tenant, gateway, 'raw')) return handleFrames(payload)
    const parsed = parseJson(payload)
    if (parsed === undefined) return reportProblem(`${topic} contained no JSON`)
    if (topic === toDownTopic(tenant, gateway, 'cmd')) return handleCommand(parsed.value)
    if (topic === toDownTopic(tenant, gateway, 'time')) return handleTime(parsed.value)
    const ack = ackMessage.safeParse(parsed.value)
    if (ack.success) buffer.erase(ack.data.boot, ack.data.seq)
    // An acknowledgement of raw frames needs no action: frames are not buffered.
    else if (!rawAckMessage.safeParse(parsed.value).success) reportProblem(`${topic} was not understood`)
  })

  function handleCommand(value: unknown): void {
    const request = historyRequest.safeParse(value)
    if (!request.success) {
      sendReplies(options.onCommand(value))
      return
    }
    const { exp, args } = request.data
    if (exp > now()) buffer.request(args.boot, args.from, args.to, now())
  }

  function handleFrames(payload: Uint8Array): void {
    const frames = readFrames(payload)
    if (frames === undefined) reportProblem('frames for the bus were not understood')
    else sendFrames(options.onFrames(frames))
  }

  function handleTime(value: unknown): void {
    const time = timeMessage.safeParse(value)
    if (time.success) options.onTime(time.data.now)
    else reportProblem('the time was not understood')
  }

  function sendLive(message: TelemetryMessage): void {
    const { boot: ofBoot, seq, d } = message
    buffer.add({ boot: ofBoot, seq, d }, client.connected ? now() : undefined)
    if (client.connected) publish('telemetry', JSON.stringify(message), false, ready.resolve)
    else if (options.sleeps && isAwake) unsent.push(message)
  }

  /** Disconnects once all messages are acknowledged or the wait has timed out. The rest is sent at the next waking. */
  function leaveWhenAcknowledged(): void {
    if (leavingSince === undefined || !hasRadio) return
    if (inFlight > 0 && now() - leavingSince < LEAVE_TIMEOUT_MS) return
    leavingSince = undefined
    client.end(inFlight > 0 || !client.connected)
  }

  function wake(): void {
    if (isAwake) return
    isAwake = true
    const isStillThere = leavingSince !== undefined && client.connected
    leavingSince = undefined
    if (isStillThere) publish('birth', birth(true), true)
    else if (hasRadio) client.reconnect()
  }

  function goToSleep(): void {
    if (isAwake) {
      isAwake = false
      unsent = []
      leavingSince = now()
      if (client.connected) publish('birth', birth(false, 'sleep'), true)
    }
    leaveWhenAcknowledged()
  }

  function sendReplies(messages: readonly ReplyMessage[]): void {
    for (const message of messages) publish('reply', JSON.stringify(message))
  }

  function sendFrames(messages: readonly RawMessage[]): void {
    if (!client.connected) return
    for (const message of messages) publish('raw', JSON.stringify(message))
  }

  return {
    sendTelemetry: (messages) => {
      for (const message of messages) sendLive(message)
    },
    sendReplies,
    sendFrames,
    replay: () => {
      const message = client.connected ? buffer.takeNext(now()) : undefined
      if (message === undefined) return
      const { boot: ofBoot, seq, d } = message
      publish('history', JSON.stringify({ v: 1, boot: ofBoot, seq, ts: stamp(), d }))
    },
    sendHistory: (message) =>
      new Promise((resolve) => publish('history', JSON.stringify(message), false, resolve)),
    announce: () => {
      if (client.connected) publish('birth', birth(true), true)
    },
    setRadio: (isOn) => {
      if (isOn === hasRadio || isClosing) return
      hasRadio = isOn
      ready.resolve()
      if (isOn && isAwake) client.reconnect()
      else if (!isOn) client.end(true)
    },
    setAwake: (next) => {
      if (!options.sleeps || isClosing) return
      if (next) wake()
      else goToSleep()
    },
    ready: ready.promise,
    isConnected: () => client.connected,
    inFlight: () => inFlight,
    close: async () => {
      isClosing = true
      if (client.connected) publish('birth', birth(false, 'switched off'), true)
      // A clean end waits for messages in flight and prevents the will. A broker that is shutting down never
      // acknowledges, so the wait has a timeout.
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, CLOSE_TIMEOUT_MS)
      await Promise.race([client.endAsync(!client.connected), timeout.promise])
      clearTimeout(timer)
      client.stream?.destroy()
    },
  }
}
