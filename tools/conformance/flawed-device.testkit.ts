import { connect, type MqttClient } from 'mqtt'
import type { Rule } from './rules.ts'

/**
 * The rule that the device breaks, or `none`. `connect`: the device connects and sends nothing. `shared-counter`: it
 * numbers readings and replies with one counter.
 */
export type Flaw = Rule | 'none' | 'shared-counter'

export interface FlawedOptions {
  readonly port: number
  /** A one-time token, with which it gets its password. */
  readonly token: string
  readonly flaw: Flaw
}

interface Message {
  readonly boot: number
  readonly seq: number
  readonly d: readonly object[]
}

interface Command {
  readonly id?: unknown
  readonly dev?: unknown
  readonly do?: unknown
  readonly exp?: unknown
  readonly rev?: unknown
  readonly args?: { readonly opening?: unknown; readonly maxSec?: unknown; readonly from?: unknown } | null
}

const USER = 'demo/C-1'
const VALVE = 'V-1'
const PERIOD_MS = 100
const STROKE_MS = 40
const RECONNECT_MS = 50

/**
 * A small device in this process that follows every rule except one. Its messages are in memory only: `restart` ends
 * the connection and raises boot, like a restart of a device that stores its messages in flash.
 */
export function startFlawedDevice({ port, token, flaw }: FlawedOptions) {
  const is = (name: Flaw): boolean => flaw === name
  let [boot, seq, replySeq, opening, rev] = [1, 0, 0, 20, -1]
  let client: MqttClient | undefined
  let isClosed = false
  let password = token
  /** It ends the connection itself, to connect with another password. */
  let isLeaving = false
  /** Whether the device has sent its birth message in this connection. */
  let isReady = false
  let stored: Message[] = []
  let active = ''
  const sent = new Set<Message>()
  const acknowledged = new Set<Message>()
  const replies = new Map<string, object>()
  const open = new Map<string, object>()
  const timers = new Set<NodeJS.Timeout>()
  let motor: NodeJS.Timeout | undefined
  const now = (): number => Date.now() + (is('clock') ? 60_000 : 0)
  const later = (task: () => void, ms: number): NodeJS.Timeout => {
    const timer = setTimeout(task, ms)
    timers.add(timer)
    return timer
  }

  function publish(
    channel: string,
    body: object,
    stored: () => void = () => undefined,
    retain = false,
  ): void {
    const topic =
      is('own-topics') && channel === 'event' ? `hx/v1/demo/C-2/up/${channel}` : `hx/v1/${USER}/up/${channel}`
    const qos = is('qos') ? 0 : 1
    const isRetained = retain || (is('retain') && channel === 'telemetry')
    client?.publish(topic, JSON.stringify(body), { qos, retain: isRetained }, (error) => {
      if (!error) stored()
    })
  }

  const toBirth = (online: boolean) => ({ v: 1, boot, ts: now(), online })

  function send(message: Message, channel: string): void {
    sent.add(message)
    const d =
      is('late-readings') && channel === 'history'
        ? message.d.map((each) => ({ ...each, ts: undefined }))
        : message.d
    const changed = is('same-number') && channel === 'history' ? d.map((each) => ({ ...each, q: 32 })) : d
    publish(channel, { v: 1, ...message, ts: now(), d: changed }, () => acknowledged.add(message))
  }

  function report(channel = 'telemetry'): void {
    if (is('backlog') && !client?.connected) return
    const shown = is('confirm') ? 20 : opening
    const m = { 'valve.opening': is('schema') ? String(shown) : is('metrics') ? shown + 1_000 : shown }
    const message = { boot, seq: seq++, d: [{ id: VALVE, ts: now(), m }] }
    if (is('numbering') && seq % 5 === 4) return
    stored.push(message)
    if (isReady) send(message, channel)
  }

  function replay(): void {
    if (!isReady) return
    const channel = is('late-readings') ? 'telemetry' : 'history'
    for (const message of stored) if (!sent.has(message)) send(message, channel)
  }

  function reply(id: string, dev: string, stage: string, code: number): void {
    if (is('reply')) return
    const body = {
      v: 1,
      boot,
      seq: is('shared-counter') ? seq++ : replySeq++,
      ts: now(),
      id,
      dev,
      stage,
      code,
    }
    if (is('reply-numbering')) replySeq += 1
    replies.set(id, { id, dev, stage, code })
    const key = String(body.seq)
    if (!is('reply-repeat')) open.set(key, body)
    if (isReady) publish('reply', body, () => open.delete(key))
  }

  function judge({ dev, do: action, args, exp, rev: given }: Command): number {
    if (dev !== VALVE && !is('unknown-device')) return 404
    if (action !== 'valve.set' && !is('unsupported')) return 501
    const target = args?.opening
    if ((typeof target !== 'number' || target > 100 || target < 0) && !is('bad-arguments')) return 400
    if (Number(exp) <= now() && !is('expiry')) return 410
    return Number(given) <= rev && !is('revision') ? 409 : 0
  }

  function move(target: number): void {
    clearTimeout(motor)
    motor = later(() => {
      opening = Math.min(100, target)
      if (active && !is('done')) reply(active, VALVE, 'done', 0)
      active = ''
      report('event')
    }, STROKE_MS)
  }

  function obey(command: Command): void {
    const { id, dev, args } = command
    if (typeof id !== 'string' || typeof dev !== 'string') return
    const known = replies.get(id)
    if (known && !is('duplicate')) {
      const body = { v: 1, boot, seq: replySeq++, ts: now(), ...known }
      publish('reply', body)
      return
    }
    const code = known ? 0 : judge(command)
    reply(id, dev, 'accepted', code)
    const target = Number(args?.opening ?? 0)
    if (code !== 0 && is('refused')) move(target)
    if (code !== 0) return
    if (active && !is('replaced')) reply(active, VALVE, 'done', 409)
    active = id
    rev = Number(command.rev)
    move(target)
    const seconds = Number(args?.maxSec ?? 0)
    if (seconds > 0 && !is('max-sec')) later(() => move(0), seconds * 1_000)
  }

  function sendHistory({ id }: Command): void {
    if (is('get-history')) reply(String(id), USER, 'done', 0)
    for (const message of is('get-history') ? [] : stored)
      if (message.boot === boot && message.seq <= 2) send(message, 'history')
  }

  function receive(topic: string, payload: Buffer): void {
    let body: unknown
    try {
      body = JSON.parse(payload.toString())
    } catch {
      if (is('garbage')) close()
      return
    }
    if (typeof body !== 'object' || body === null) return
    if (topic.endsWith('/login') && 'password' in body) {
      const isObeyed = password === token ? !is('token-login') : is('login-ignored')
      if (!isObeyed) return
      password = String(body.password)
      isLeaving = true
      client?.stream.destroy()
    } else if (topic.endsWith('/ack') && 'seq' in body && 'boot' in body) {
      const { boot: ofBoot, seq: last } = body
      if (!is('acknowledged'))
        stored = stored.filter((message) => message.boot !== ofBoot || message.seq > Number(last))
    } else if (topic.endsWith('/cmd')) {
      const command: Command = body
      if (command.do === 'getHistory') sendHistory(command)
      else obey(command)
    }
  }

  function start(): void {
    if (isClosed) return
    const filter = `hx/v1/${is('subscription') ? 'demo/+' : USER}/down/#`
    const will = {
      topic: `hx/v1/${USER}/up/birth`,
      payload: Buffer.from(JSON.stringify(toBirth(false))),
      qos: 1 as const,
      retain: !is('will'),
    }
    const opened = connect(`mqtt://127.0.0.1:${port}`, {
      protocolVersion: is('mqtt-version') ? 5 : 4,
      clientId: is('client-id') ? 'C-1' : USER,
      username: is('user-name') ? 'demo:C-1' : USER,
      password: is('password') ? 'another' : password,
      clean: is('clean-session'),
      keepalive: is('keep-alive') ? 0 : 60,
      reconnectPeriod: 0,
      will,
    })
    client = opened
    opened.on('error', () => undefined)
    opened.on('message', receive)
    opened.on('close', () => {
      isReady = false
      for (const message of sent)
        if (!acknowledged.has(message) && !is('repeat-unacknowledged')) sent.delete(message)
      if (is('acknowledged')) sent.clear()
      // It notices late that the connection is lost: only the first message without a PUBACK is from before.
      if (is('backlog')) {
        const first = stored.find((message) => !acknowledged.has(message))
        stored = stored.filter((message) => message === first || acknowledged.has(message))
      }
      if (!is('reconnect') || isLeaving) later(start, RECONNECT_MS)
      isLeaving = false
    })
    opened.on('connect', () => {
      if (is('connect')) return
      const greet = (): void => {
        if (!is('birth')) publish('birth', toBirth(true), undefined, true)
        for (const body of open.values()) publish('reply', body)
        isReady = true
      }
      if (is('subscribe-first')) greet()
      opened.subscribe(filter, { qos: 1 }, () => {
        if (!is('subscribe-first')) greet()
      })
    })
  }

  const ticking = [setInterval(report, PERIOD_MS), setInterval(replay, PERIOD_MS)]
  start()

  function close(): void {
    isClosed = true
    for (const timer of [...ticking, ...timers]) clearTimeout(timer)
    client?.end(true)
  }

  return {
    close,
    /** Switches the device off and on: its numbers start again, and messages without PUBACK are still stored. */
    async restart(): Promise<void> {
      if (is('restart')) stored = []
      if (!is('boot')) {
        boot += 1
        seq = 0
        replySeq = 0
      }
      open.clear()
      client?.stream.destroy()
    },
  }
}
