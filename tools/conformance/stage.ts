import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import {
  type DownChannel,
  downChannels,
  type LoginMessage,
  parseUpTopic,
  toDownTopic,
  toMqttUsername,
  type UpChannel,
} from '@isotherm/contract/mqtt'
import mqttPacket, {
  type IConnectPacket,
  type IPublishPacket,
  type ISubscribePacket,
  type Packet,
} from 'mqtt-packet'
import type { Findings } from './findings.ts'
import { createSignIns, DECOY, type ExpectedDevice, type SignInWay } from './sign-in.ts'

/** A message of the device on one of its topics. */
export interface Published {
  readonly channel: UpChannel
  readonly payload: Buffer
  readonly isRetained: boolean
  /** Whether the device has subscribed in this connection. */
  readonly isSubscribed: boolean
  /** Which connection, from 1. */
  readonly connection: number
  readonly at: number
  /** When this connection began, Unix ms. */
  readonly connectedAt: number
}

/** The server's end of the connection: a broker for one device that can withhold acknowledgements and break the link. */
export interface Stage {
  readonly port: number
  isConnected(): boolean
  /** What the device signed in with last. */
  signedInWith(): SignInWay | undefined
  send(channel: DownChannel, body: object | string): void
  /** Sends down/login with a password that is not its own, if the device must ignore it now. */
  sendDecoy(): void
  /** Breaks the connection; new ones are refused until `accept`. */
  refuse(): void
  accept(): void
  /** Breaks the connection. */
  cut(): void
  /** Resolves when the condition holds, or with false after the time. Checked after each packet. */
  until(condition: () => boolean, timeoutMs: number): Promise<boolean>
  close(): Promise<void>
}

export interface StageOptions {
  readonly host: string
  readonly port: number
  readonly device: ExpectedDevice
  readonly findings: Findings
  /** Receives a message; false withholds its PUBACK. */
  readonly receive: (message: Published) => boolean
}

const REFUSED = 128

export async function startStage({ host, port, device, findings, receive }: StageOptions): Promise<Stage> {
  const { tenant, gateway, password } = device
  const username = toMqttUsername(tenant, gateway)
  const signIns = createSignIns(device, findings)
  const waiting = new Set<() => void>()
  let current: Socket | undefined
  let isRefusing = false
  let connection = 0
  let connectedAt = 0
  let messageId = 0
  const subscribed = new Set<string>()

  const changed = (): void => {
    for (const check of waiting) check()
  }
  const write = (socket: Socket, packet: Packet): void => {
    if (!socket.destroyed) socket.write(mqttPacket.generate(packet))
  }

  function send(channel: DownChannel, body: object | string): void {
    if (!current) return
    messageId = (messageId % 65_535) + 1
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const qos = channel === 'cmd' ? 1 : 0
    const topic = toDownTopic(tenant, gateway, channel)
    write(current, { cmd: 'publish', topic, payload, qos, messageId, dup: false, retain: false })
  }

  const sendLogin = (given: string): void =>
    send('login', { v: 1, username, password: given } satisfies LoginMessage)

  function handleConnect(socket: Socket, packet: IConnectPacket): void {
    const returnCode = signIns.judge(packet)
    write(socket, { cmd: 'connack', returnCode, sessionPresent: false })
    if (returnCode !== 0) {
      socket.end()
      return
    }
    current?.destroy()
    current = socket
    connection += 1
    connectedAt = Date.now()
    subscribed.clear()
  }

  function handleSubscribe(socket: Socket, { subscriptions, messageId: id = 0 }: ISubscribePacket): void {
    const prefix = `hx/v1/${username}/down`
    const granted = subscriptions.map(({ topic, qos }) => {
      const channels = downChannels.filter((channel) =>
        [`${prefix}/#`, `${prefix}/+`, `${prefix}/${channel}`].includes(topic),
      )
      findings.check('subscription', channels.length > 0, `it subscribed to "${topic}"`)
      findings.check('subscription', qos > 0, `it subscribed to "${topic}" at QoS ${qos}`)
      for (const channel of channels) subscribed.add(channel)
      return channels.length > 0 ? Math.min(qos, 1) : REFUSED
    })
    write(socket, { cmd: 'suback', messageId: id, granted })
    // A device that obeyed the decoy gets its own password back: it may have stored the other one for ever.
    if ((signIns.way === 'token' || signIns.way === 'decoy') && subscribed.has('login')) sendLogin(password)
  }

  function handlePublish(socket: Socket, packet: IPublishPacket): void {
    const { topic, payload, qos, retain, messageId: id } = packet
    const at = Date.now()
    findings.check('qos', qos === 1, `it published on ${topic} at QoS ${qos}`)
    const up = parseUpTopic(topic)
    const isOwn = up?.tenant === tenant && up.gateway === gateway
    findings.check('own-topics', isOwn, `it published on "${topic}"`)
    if (!up || !isOwn || qos === 2) {
      socket.destroy()
      return
    }
    const missing = (['cmd', 'ack', 'time'] as const).filter((channel) => !subscribed.has(channel))
    findings.check(
      'subscription',
      missing.length === 0 || subscribed.size === 0,
      `not to ${missing.join(', ')}`,
    )
    findings.check('retain', !retain || up.channel === 'birth', `a message on ${topic} was retained`)
    const bytes = Buffer.from(payload)
    const { channel } = up
    const isStored = receive({
      channel,
      payload: bytes,
      isRetained: retain,
      isSubscribed: subscribed.size > 0,
      connection,
      at,
      connectedAt,
    })
    if (isStored && qos === 1) write(socket, { cmd: 'puback', messageId: id ?? 0 })
  }

  function handle(socket: Socket, packet: Packet): void {
    if (packet.cmd === 'connect') handleConnect(socket, packet)
    else if (socket !== current) return
    else if (packet.cmd === 'subscribe') handleSubscribe(socket, packet)
    else if (packet.cmd === 'publish') handlePublish(socket, packet)
    else if (packet.cmd === 'pingreq') write(socket, { cmd: 'pingresp' })
    changed()
  }

  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (current === socket) current = undefined
      changed()
    })
    if (isRefusing) {
      socket.destroy()
      return
    }
    const parser = mqttPacket.parser()
    parser.on('packet', (packet) => handle(socket, packet))
    parser.on('error', (error) => {
      findings.check('schema', false, `it sent bytes that are no MQTT: ${error.message}`)
      socket.destroy()
    })
    socket.on('data', (bytes) => parser.parse(Buffer.from(bytes)))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const cut = (): void => {
    current?.destroy()
  }

  return {
    port: typeof address === 'object' && address ? address.port : port,
    isConnected: () => current !== undefined,
    signedInWith: () => signIns.way,
    send,
    sendDecoy() {
      if (signIns.way !== 'password') return
      signIns.noteDecoy()
      sendLogin(DECOY)
    },
    refuse() {
      isRefusing = true
      cut()
    },
    accept() {
      isRefusing = false
    },
    cut,
    until(condition, timeoutMs) {
      if (condition()) return Promise.resolve(true)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const end = (isMet: boolean): void => {
        clearTimeout(timer)
        waiting.delete(check)
        resolve(isMet)
      }
      const check = (): void => {
        if (condition()) end(true)
      }
      const timer = setTimeout(() => end(false), timeoutMs)
      waiting.add(check)
      return promise
    },
    async close() {
      isRefusing = true
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
