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
  /** How much faster the plant's time runs now. */
  readonly timeFactor: () => number
  /** It is on the air only while it is awake, and leaves politely each time. */
  readonly sleeps: boolean
  /** How many messages are kept for the time they cannot be sent. */
  readonly bufferMessages: number
  /** The clock of the twin, and that of the gateway, by which it stamps. */
  readonly now: () => number
  readonly stamp: () => number
  /** A parsed command; its replies are sent at once. */
  readonly onCommand: (message: unknown) => readonly ReplyMessage[]
  /** Frames to put on the bus; what comes back from it is sent at once. */
  readonly onFrames: (frames: readonly Uint8Array[]) => readonly RawMessage[]
  /** The server said what time it is. */
  readonly onTime: (toldMs: number) => void
  readonly onProblem: (text: string) => void
}

/** A node's connection to the broker. */
export interface GatewayLink {
  readonly sendTelemetry: (messages: readonly TelemetryMessage[]) => void
  readonly sendReplies: (messages: readonly ReplyMessage[]) => void
  /** What was said on the bus; while there is no connection, it is not kept. */
  readonly sendFrames: (messages: readonly RawMessage[]) => void
  /** Sends at most one kept message as history; call about once a second. */
  readonly replay: () => void
  /** Says anew who it is, for its time factor has changed. */
  readonly announce: () => void
  /** Loses or regains the radio: without one it neither hears nor is heard, and says no goodbye. */
  readonly setRadio: (isOn: boolean) => void
  /** Of one that sleeps: comes on the air, or says that it goes to sleep and leaves. What it had to say goes first. */
  readonly setAwake: (isAwake: boolean) => void
  /** Settles when connected and a first report got its PUBACK, or when there is nothing to wait for: no radio, or sleep. */
  readonly ready: Promise<void>
  readonly isConnected: () => boolean
  /** How many messages the broker has not acknowledged yet. */
  readonly inFlight: () => number
  readonly close: () => Promise<void>
}

const FIRMWARE = 'isotherm-twin 0.1.0'
const CLOSE_PATIENCE_MS = 1000
/** How long one that goes to sleep waits for what it said last, ms. */
const LEAVE_PATIENCE_MS = 5000

function openClient(options: LinkOptions, will: string): MqttClient {
  return connect(options.url, {
    protocolVersion: 4,
    clean: false,
    manualConnect: options.sleeps,
    clientId: options.gateway,
    ...toGatewayLogin(options.secret, options.tenant, options.gateway),
    keepalive: 60,
    // Spread, so that a returning broker is not stormed.
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
 * Connects a gateway and keeps it connected, one that sleeps while it is awake. Messages that find no connection are kept and
 * sent later.
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
  /** Since when one that went to sleep waits for what it said last to be acknowledged, Unix ms. */
  let leavingSince: number | undefined
  /** What one that just woke has to say, until it is connected. */
  let unsaid: TelemetryMessage[] = []
  if (options.sleeps) ready.resolve()
  let inFlight = 0
  let lastProblem = ''
  // Said once, not with every attempt to reconnect.
  const complain = (problem: string): void => {
    if (isClosing || !hasRadio || problem === lastProblem) return
    lastProblem = problem
    options.onProblem(problem)
  }

  const publish = (channel: UpChannel, payload: string, retain = false, onAck?: () => void): void => {
    inFlight++
    client.publish(toUpTopic(tenant, gateway, channel), payload, { qos: 1, retain }, (error) => {
      inFlight--
      if (!error) onAck?.()
      else complain(`${channel} was not delivered: ${error.message}`)
    })
  }

  client.on('connect', () => {
    lastProblem = ''
    client.subscribe(
      downChannels.map((channel) => toDownTopic(tenant, gateway, channel)),
      { qos: 1 },
      (error) => {
        if (error) complain(`subscribing failed: ${error.message}`)
      },
    )
    publish('birth', birth(true), true)
    for (const message of unsaid.splice(0)) sendLive(message)
  })
  client.on('error', (error) => complain(error.message))
  client.on('message', (topic, payload) => {
    if (topic === toDownTopic(tenant, gateway, 'raw')) return takeFrames(payload)
    const parsed = parseJson(payload)
    if (parsed === undefined) return complain(`${topic} carried no JSON`)
    if (topic === toDownTopic(tenant, gateway, 'cmd')) return takeCommand(parsed.value)
    if (topic === toDownTopic(tenant, gateway, 'time')) return takeTime(parsed.value)
    const ack = ackMessage.safeParse(parsed.value)
    if (ack.success) buffer.erase(ack.data.boot, ack.data.seq)
    // A bus that is traced is not traced again: of its frames nothing is held that could be erased.
    else if (!rawAckMessage.safeParse(parsed.value).success) complain(`${topic} was not understood`)
  })

  function takeCommand(value: unknown): void {
    const request = historyRequest.safeParse(value)
    if (!request.success) {
      sendReplies(options.onCommand(value))
      return
    }
    const { exp, args } = request.data
    if (exp > now()) buffer.request(args.boot, args.from, args.to, now())
  }

  function takeFrames(payload: Uint8Array): void {
    const frames = readFrames(payload)
    if (frames === undefined) complain('frames for the bus were not understood')
    else sendFrames(options.onFrames(frames))
  }

  function takeTime(value: unknown): void {
    const told = timeMessage.safeParse(value)
    if (told.success) options.onTime(told.data.now)
    else complain('the time was not understood')
  }

  function sendLive(message: TelemetryMessage): void {
    const { boot: ofBoot, seq, d } = message
    buffer.keep({ boot: ofBoot, seq, d }, client.connected ? now() : undefined)
    if (client.connected) publish('telemetry', JSON.stringify(message), false, ready.resolve)
    else if (options.sleeps && isAwake) unsaid.push(message)
  }

  /** What is not acknowledged by now is said again at the next waking. */
  function leaveWhenHeard(): void {
    if (leavingSince === undefined || !hasRadio) return
    if (inFlight > 0 && now() - leavingSince < LEAVE_PATIENCE_MS) return
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
      unsaid = []
      leavingSince = now()
      if (client.connected) publish('birth', birth(false, 'sleep'), true)
    }
    leaveWhenHeard()
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
      // A polite end waits for what is in flight and keeps the broker from publishing the will; a broker that is
      // just going away never acknowledges, and then nobody waits.
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, CLOSE_PATIENCE_MS)
      await Promise.race([client.endAsync(!client.connected), patience.promise])
      clearTimeout(timer)
      client.stream?.destroy()
    },
  }
}
