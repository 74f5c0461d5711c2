/** Reference client of docs/reference/mqtt.md: a gateway with one valve (clients/README.md). */
import type { CommandMessage, HistoryRequest, ReplyMessage, TelemetryMessage } from '@isotherm/contract/mqtt'
import { openLink } from './link.ts'
import { openState } from './state-file.ts'
import { canMove, createValve, type ValveState } from './valve.ts'

/** `username`: `{tenant}/{serial}`. `valve`: serial of the valve. `file` stores what must survive a restart. */
export type DeviceOptions = Readonly<Record<'url' | 'username' | 'password' | 'valve' | 'file', string>> &
  Readonly<Record<'intervalMs' | 'strokeMs', number>>
type Numbers = Partial<Record<'boot' | 'seq' | 'now', number>>
type Received = (CommandMessage | HistoryRequest) & Numbers & { password?: string }
type Reply = Pick<ReplyMessage, 'id' | 'dev' | 'stage' | 'code' | 'res'>
type Stored = { stored: TelemetryMessage[]; replies: Reply[]; active?: Reply }
type State = ValveState & Stored & { boot: number; rev: number }

/** Starts the device; returns a function that stops it. */
export function startDevice({ url, username, password, valve, file, intervalMs, strokeMs }: DeviceOptions) {
  const fresh: State = { boot: 0, rev: -1, opening: 20, closesAt: 0, stored: [], replies: [] }
  const { state, save, secret } = openState(file, fresh, password)
  async function greet(): Promise<void> {
    await client.subscribeAsync(`${topic}/down/#`, { qos: 1 })
    if (secret.isToken()) await new Promise(() => undefined)
    publish('birth', birth(true), true)
  }
  const sent = new WeakSet<TelemetryMessage>()
  let [seq, replySeq, offsetMs] = [0, 0, 0]
  const head = () => ({ v: 1 as const, boot: state.boot, ts: Date.now() + offsetMs })
  const birth = (online: boolean) => ({ ...head(), online, firmware: 'reference 1.0' })
  const topic = `hx/v1/${username}`
  const payload = Buffer.from(JSON.stringify(birth(false)))
  const will = { topic: `${topic}/up/birth`, payload, qos: 1, retain: true } as const
  const { client, isReady } = openLink(url, { username, clientId: username, will }, secret, greet)
  // The library repeats a message without PUBACK after the next connection.
  const publish = (channel: string, body: object, retain = false) =>
    client.publishAsync(`${topic}/up/${channel}`, JSON.stringify(body), { qos: 1, retain })
  const send = (message: TelemetryMessage | undefined, channel: string): void => {
    if (!message || !isReady()) return
    sent.add(message)
    publish(channel, { ...message, ts: head().ts })
  }
  const findUnsent = () => state.stored.find((message) => !sent.has(message))
  const report = (channel: string): void => {
    const m = { 'valve.opening': state.opening, 'temp.supply': 45.2, 'temp.return': 38.4 }
    const message = { ...head(), seq: seq++, d: [{ id: valve, ts: head().ts, m }] }
    state.stored = [...state.stored, message].slice(-20_000)
    save()
    send(message, channel)
  }
  const reply = (given: Reply): void => {
    state.replies = [...state.replies.filter(({ id }) => id !== given.id), given].slice(-32)
    save()
    publish('reply', { ...head(), seq: replySeq++, ...given })
  }
  const endCommand = (end: Pick<Reply, 'code' | 'res'>): void => {
    if (state.active) reply({ ...state.active, ...end, stage: 'done' })
    delete state.active
  }
  const actuator = createValve(state, strokeMs, () => {
    endCommand({ code: 0, res: { opening: state.opening } })
    report('event')
  })
  const judge = ({ dev, do: action, args, exp, rev }: CommandMessage): number => {
    if (action !== 'valve.set') return 501
    if (dev !== valve) return 404
    if (!canMove(args)) return 400
    return exp <= head().ts ? 410 : rev <= state.rev ? 409 : 0
  }
  const obey = (command: CommandMessage): void => {
    const { id, dev, rev, args } = command
    const known = state.replies.find((earlier) => earlier.id === id)
    const given: Reply = known ?? { id, dev, stage: 'accepted', code: judge(command) }
    reply(given)
    if (known || given.code > 0) return
    endCommand({ code: 409 })
    Object.assign(state, { rev, active: given })
    actuator.move(args.opening, args.maxSec ?? 0)
    save()
  }
  const resend = ({ args: { boot, from, to } }: HistoryRequest): void => {
    for (const message of state.stored)
      if (message.boot === boot && message.seq >= from && message.seq <= to) sent.delete(message)
  }
  const receive = (channel: string | undefined, body: Received): void => {
    const { boot, seq = -1, now = Date.now() } = body
    if (channel === 'login' && secret.receive(body.password)) client.stream.destroy()
    if (channel === 'time') offsetMs = now - Date.now()
    if (channel === 'ack') state.stored = state.stored.filter((each) => each.boot !== boot || each.seq > seq)
    if (channel === 'cmd' && body.do === 'getHistory') resend(body)
    else if (channel === 'cmd' && body.do !== 'getHistory' && body.id) obey(body)
    save()
  }
  client.on('message', (name, bytes) => {
    const read = Promise.resolve().then(() => receive(name.split('/')[5], JSON.parse(String(bytes))))
    read.catch(() => console.error(`not understood: ${name}`))
  })
  setInterval(report, intervalMs, 'telemetry')
  setInterval(() => send(findUnsent(), 'history'), 1_000)
  return () => publish('birth', birth(false), true).then(() => client.endAsync())
}
