import type { Broker } from '@isotherm/engines/broker/broker'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterEach, expect, it, vi } from 'vitest'
import { type ReceivedMessage, startFieldBroker } from './field-broker.testkit.ts'
import { openLink } from './gateway-link.mqtt.ts'

const SECRET = 'a secret'
const NODE = '864001000000001'

const times: number[] = []
const problems: string[] = []
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closers.splice(0).reverse()) await close()
})

async function listen(port: number, received: ReceivedMessage[]): Promise<Broker> {
  const broker = await startFieldBroker({
    secret: SECRET,
    port,
    receive: (message) => {
      received.push(message)
    },
  })
  closers.push(() => broker.close())
  return broker
}

function open(port: number, sleeps = false) {
  const link = openLink({
    url: `mqtt://127.0.0.1:${port}`,
    secret: SECRET,
    tenant: 'heyuan',
    gateway: NODE,
    boot: () => 3,
    timeFactor: () => 60,
    sleeps,
    bufferMessages: 5000,
    now: () => Date.now(),
    stamp: () => Date.now(),
    onTime: (serverMs) => {
      times.push(serverMs)
    },
    onCommand: (message) => [
      {
        v: 1,
        id: JSON.stringify(message),
        dev: 'v',
        stage: 'accepted',
        code: 0,
        ts: Date.now(),
        boot: 3,
        seq: 0,
      },
    ],
    // A bus that echoes every frame.
    onFrames: (frames) => [
      {
        v: 1,
        boot: 3,
        seq: 0,
        ts: Date.now(),
        f: frames.map((bytes) => ({ hex: Buffer.from(bytes).toString('hex') })),
      },
    ],
    onProblem: (text) => {
      problems.push(text)
    },
  })
  closers.push(() => link.close())
  return link
}

const report = (seq: number) => ({
  v: 1 as const,
  boot: 3,
  seq,
  ts: Date.now(),
  d: [{ id: 'v', m: { rssi: -70 } }],
})
const of = (received: readonly ReceivedMessage[], channel: string) =>
  received.filter((message) => message.channel === channel).map(({ body }) => body)

/** Received history messages after the buffered ones are sent again. */
function replay(link: ReturnType<typeof open>, received: readonly ReceivedMessage[]) {
  link.replay()
  return of(received, 'history')
}

it('signs in as its gateway, announces itself with the time factor and answers commands', async () => {
  const received: ReceivedMessage[] = []
  const broker = await listen(0, received)
  const link = open(broker.port)
  await expect.poll(() => broker.isConnected(`heyuan/${NODE}`)).toBe(true)
  await expect.poll(() => of(received, 'birth')).toMatchObject([{ online: true, boot: 3, timeFactor: 60 }])
  link.sendTelemetry([report(0)])
  await link.ready
  expect(of(received, 'telemetry')).toMatchObject([{ boot: 3, seq: 0 }])
  const payload = Buffer.from('{"a":1}')
  await broker.publish({ topic: `hx/v1/heyuan/${NODE}/down/cmd`, payload, qos: 1, retain: false })
  await expect.poll(() => of(received, 'reply')).toMatchObject([{ id: '{"a":1}', code: 0 }])
})

it('disconnects cleanly when it is closed', async () => {
  const received: ReceivedMessage[] = []
  const broker = await listen(0, received)
  const link = open(broker.port)
  await expect.poll(() => of(received, 'birth')).toHaveLength(1)
  await link.close()
  expect(of(received, 'birth').at(-1)).toMatchObject({ online: false, reason: 'switched off' })
})

it('buffers messages without a connection and sends them as history when the broker is back', async () => {
  const received: ReceivedMessage[] = []
  const first = await listen(0, received)
  const { port } = first
  const link = open(port)
  await expect.poll(() => of(received, 'birth')).toHaveLength(1)
  await first.close()
  await expect.poll(() => link.isConnected()).toBe(false)
  link.sendTelemetry([report(0), report(1)])
  const second = await listen(port, received)
  await vi.waitFor(() => expect(second.isConnected(`heyuan/${NODE}`)).toBe(true), { timeout: 30_000 })
  await expect.poll(() => replay(link, received)).toMatchObject([{ seq: 0 }, { seq: 1 }])
  expect(of(received, 'telemetry')).toEqual([])
})

it('resends messages that the server requests, if they are still buffered', async () => {
  const received: ReceivedMessage[] = []
  const broker = await listen(0, received)
  const link = open(broker.port)
  await expect.poll(() => of(received, 'birth')).toHaveLength(1)
  await broker.close()
  await expect.poll(() => link.isConnected()).toBe(false)
  link.sendTelemetry([report(4), report(5)])
  const second = await listen(broker.port, received)
  await vi.waitFor(() => expect(second.isConnected(`heyuan/${NODE}`)).toBe(true), { timeout: 30_000 })
  await expect.poll(() => replay(link, received)).toHaveLength(2)
  const later = Date.now() + MINUTE_MS
  vi.spyOn(Date, 'now').mockReturnValue(later)
  const request = { v: 1, id: 'h', dev: NODE, do: 'getHistory', args: { boot: 3, from: 5, to: 9 } }
  const payload = Buffer.from(JSON.stringify({ ...request, iat: later, exp: later + 1_000 }))
  await second.publish({ topic: `hx/v1/heyuan/${NODE}/down/cmd`, payload, qos: 1, retain: false })
  await expect.poll(() => replay(link, received)).toMatchObject([{ seq: 4 }, { seq: 5 }, { seq: 5 }])
  expect(of(received, 'reply')).toEqual([])
})

it('loses the connection without a disconnect message when its radio fails, and sends history afterwards', async () => {
  const received: ReceivedMessage[] = []
  const broker = await listen(0, received)
  const link = open(broker.port)
  await expect.poll(() => of(received, 'birth')).toHaveLength(1)
  link.setRadio(false)
  await link.ready
  await expect.poll(() => broker.isConnected(`heyuan/${NODE}`)).toBe(false)
  link.sendTelemetry([report(0)])
  expect(of(received, 'birth').every((birth) => !JSON.stringify(birth).includes('switched off'))).toBe(true)
  link.setRadio(true)
  await expect.poll(() => broker.isConnected(`heyuan/${NODE}`)).toBe(true)
  await expect.poll(() => replay(link, received)).toMatchObject([{ seq: 0 }])
})

it('passes the server time to the gateway', async () => {
  const broker = await listen(0, [])
  open(broker.port)
  await expect.poll(() => broker.isConnected(`heyuan/${NODE}`)).toBe(true)
  const payload = Buffer.from(JSON.stringify({ now: 1_763_683_200_000 }))
  await vi.waitFor(
    async () => {
      await broker.publish({ topic: `hx/v1/heyuan/${NODE}/down/time`, payload, qos: 1, retain: false })
      expect(times).toContain(1_763_683_200_000)
    },
    { timeout: 30_000 },
  )
})

it('sends frames of down/raw to the bus, as JSON or as raw bytes, and publishes the answers on up/raw', async () => {
  const received: ReceivedMessage[] = []
  const broker = await listen(0, received)
  open(broker.port)
  await expect.poll(() => of(received, 'birth')).toHaveLength(1)
  const topic = `hx/v1/heyuan/${NODE}/down/raw`
  const send = (payload: Buffer) => broker.publish({ topic, payload, qos: 1, retain: false })
  await send(Buffer.from(JSON.stringify({ v: 1, f: [{ hex: '6820' }, { hex: 'fe16' }] })))
  // Binary data, a number that could be JSON, and an invalid message.
  await send(Buffer.from('fe6816ff', 'hex'))
  await send(Buffer.from('31', 'hex'))
  await send(Buffer.from('{"v":1,"f":[{"hex":"6"}]}'))
  await expect.poll(() => problems).toContain('frames for the bus were not understood')
  await expect
    .poll(() => of(received, 'raw'))
    .toMatchObject([
      { f: [{ hex: '6820' }, { hex: 'fe16' }] },
      { f: [{ hex: 'fe6816ff' }] },
      { f: [{ hex: '31' }] },
    ])
})

it('is connected only while awake: sends its messages, receives waiting commands, and announces its sleep', async () => {
  const received: ReceivedMessage[] = []
  const broker = await listen(0, received)
  const link = open(broker.port, true)
  await link.ready
  const sleep = () =>
    vi.waitFor(
      () => {
        link.setAwake(false)
        expect(broker.isConnected(`heyuan/${NODE}`)).toBe(false)
      },
      { timeout: 30_000 },
    )
  link.setAwake(true)
  link.sendTelemetry([report(0)])
  await expect.poll(() => of(received, 'telemetry')).toMatchObject([{ seq: 0 }])
  await sleep()
  expect(of(received, 'birth')).toMatchObject([{ online: true }, { online: false, reason: 'sleep' }])
  const topic = `hx/v1/heyuan/${NODE}/down/cmd`
  await broker.publish({ topic, payload: Buffer.from('{"a":2}'), qos: 1, retain: false })
  expect(of(received, 'reply')).toEqual([])
  link.setAwake(true)
  link.sendTelemetry([report(1)])
  await expect.poll(() => of(received, 'reply')).toMatchObject([{ id: '{"a":2}' }])
  await expect.poll(() => of(received, 'telemetry')).toMatchObject([{ seq: 0 }, { seq: 1 }])
  await sleep()
  expect(of(received, 'history')).toEqual([])
  expect(
    of(received, 'birth').map((birth) => JSON.stringify(birth).includes('connection lost')),
  ).not.toContain(true)
})

it('sends messages that it could not deliver while awake when it wakes again', async () => {
  const received: ReceivedMessage[] = []
  const first = await listen(0, received)
  const { port } = first
  const link = open(port, true)
  await first.close()
  link.setAwake(true)
  link.sendTelemetry([report(0)])
  link.setAwake(false)
  const second = await listen(port, received)
  link.setAwake(true)
  await vi.waitFor(() => expect(second.isConnected(`heyuan/${NODE}`)).toBe(true), { timeout: 30_000 })
  await expect.poll(() => replay(link, received)).toMatchObject([{ seq: 0 }])
  expect(of(received, 'telemetry')).toEqual([])
})
