import { EVERY_METER, encodeCjtRead, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { encodeReqUd2, encodeRspUd, encodeSndNke } from '@isotherm/codecs/mbus/encode'
import type { LineFrame } from '@isotherm/codecs/stream/line-parser'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createExchanger, type ExchangeOutcome } from './exchanger.ts'
import { simulateCjtMeter } from './simulated-devices.testkit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const heartbeat = Buffer.from('68aa', 'hex')
const address = toCjtAddress('00001112345678') ?? EVERY_METER
const report = simulateCjtMeter(address).answer(encodeCjtRead({ address, sequence: 1 })) ?? new Uint8Array()
const identity = { id: '12345678', manufacturer: 'KAM', version: 1, medium: 4 }
const telegram = encodeRspUd(1, identity, 1, []) ?? new Uint8Array()
const wakeUp = Buffer.from('fefe', 'hex')

/** A line of CJ/T 188 meters. */
function open() {
  const strays: LineFrame[] = []
  const exchanger = createExchanger({
    formats: ['cjt188'],
    send: () => undefined,
    inserts: [heartbeat],
    onStray: (frame) => strays.push(frame),
  })
  /** Requests M-Bus data; `answer` arrives in two pieces. */
  async function ask(answer: Uint8Array): Promise<ExchangeOutcome> {
    const exchange = exchanger.exchange({
      bytes: encodeReqUd2(253, true),
      isReply: ({ format, isAck }) => format === 'mbus' && !isAck,
      timeOutMs: 1_000,
      formats: ['mbus'],
    })
    await vi.advanceTimersByTimeAsync(200)
    exchanger.receive(answer.subarray(0, 20))
    await vi.advanceTimersByTimeAsync(20)
    exchanger.receive(answer.subarray(20))
    await vi.advanceTimersByTimeAsync(1_000)
    return exchange
  }
  return { exchanger, strays, ask }
}

test('late answers of the line, wake-up bytes and heartbeats are no noise in a request of another format', async () => {
  const { strays, ask } = open()
  const late = Buffer.concat([wakeUp, report, heartbeat])
  expect(await ask(late)).toEqual({ kind: 'silence', hasNoise: false })
  expect(strays.map(({ format }) => format)).toEqual(['cjt188'])
  const split = Buffer.concat([report.subarray(0, 30), heartbeat, report.subarray(30)])
  expect(await ask(split)).toEqual({ kind: 'silence', hasNoise: false })
  expect(await ask(Buffer.concat([late, Buffer.of(0x55)]))).toEqual({ kind: 'silence', hasNoise: true })
  expect(await ask(wakeUp)).toEqual({ kind: 'silence', hasNoise: true })
})

test('a heartbeat inside of the answer to a request of another format does not destroy it', async () => {
  const { ask } = open()
  const answer = Buffer.concat([telegram.subarray(0, 8), heartbeat, telegram.subarray(8)])
  expect(await ask(answer)).toMatchObject({ kind: 'reply', frame: { format: 'mbus' } })
})

test('a frame that comes long after a request without an answer is not taken for its answer', async () => {
  const { exchanger, strays } = open()
  const ask = async (isReply: (frame: LineFrame) => boolean) => {
    const exchange = exchanger.exchange({ bytes: encodeSndNke(1), isReply, timeOutMs: 100 })
    await vi.advanceTimersByTimeAsync(300)
    expect(await exchange).toMatchObject({ kind: 'silence' })
  }
  await ask(() => true)
  exchanger.receive(report)
  // It was the late answer.
  expect(strays).toEqual([])
  await ask(() => true)
  await vi.advanceTimersByTimeAsync(11_000)
  exchanger.receive(report)
  expect(strays).toHaveLength(1)
})
