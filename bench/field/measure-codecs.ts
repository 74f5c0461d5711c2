import { toSum } from '@isotherm/codecs/bytes/checksums'
import { parseHex } from '@isotherm/codecs/bytes/hex'
import { decodeCjt } from '@isotherm/codecs/cjt188/decode-data'
import { encodeCjtHeatReply, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { findCjt } from '@isotherm/codecs/cjt188/frame'
import { decodeMbus } from '@isotherm/codecs/mbus/decode'
import { encodeSndUd } from '@isotherm/codecs/mbus/encode'
import { findMbus } from '@isotherm/codecs/mbus/frame'
import { encodeRtu } from '@isotherm/codecs/modbus/encode'
import { decodeRtu } from '@isotherm/codecs/modbus/frame'
import { readRegisters, toRegisters } from '@isotherm/codecs/modbus/registers'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { ModbusRTUResponse } from 'jsmodbus'
import type { BenchPeer, BenchResult } from '../bench.ts'

const FRAMES = 2000
/** Processor time of one measurement, ms. The first half warms up. */
const MEASURE_MS = 3000
const REGISTER_VALUES = 12

const makeMeterReply = (random: Random): Uint8Array => {
  const address = toCjtAddress(String(Math.floor(random() * 1e14)).padStart(14, '0'))
  if (address === undefined) throw new Error('no address')
  const supplyTempC = 40 + 20 * random()
  const display = {
    settlementKwh: Math.floor(random() * 1e5),
    energyKwh: random() * 1e5,
    powerKw: random() * 50,
    flowM3h: random() * 2,
    volumeM3: random() * 1e4,
    supplyTempC,
    returnTempC: supplyTempC - 10 * random(),
    hours: Math.floor(random() * 50_000),
    clockMs: 1_767_225_600_000 + Math.floor(random() * 1e10),
    zoneMs: 0,
    status: 0,
  }
  return encodeCjtHeatReply({ address, sequence: Math.floor(random() * 256) }, display)
}

/**
 * Twelve records, as heat meters send them: number, energy, volume, date and time, power, flow, three temperatures, hours, stored
 * energy and its date.
 */
function makeTelegram(random: Random): Uint8Array {
  const digit = (): string => String(Math.floor(random() * 10))
  const digits = (bytes: number): string => Array.from({ length: 2 * bytes }, digit).join('')
  const records = [
    `0C78${digits(4)}`,
    `0C06${digits(4)}`,
    `0C14${digits(4)}`,
    '046D0F0E8826',
    `0B2D${digits(3)}`,
    `0B3B${digits(3)}`,
    `055B${'0000'}${digits(1)}42`,
    `0A5E${digits(2)}`,
    `0262${digits(2)}`,
    `0C22${digits(4)}`,
    `4C06${digits(4)}`,
    '426C7F2C',
  ]
  const body = parseHex(`${digits(4)}2D2C010455000000${records.join('')}`)
  if (body === undefined) throw new Error('no telegram')
  const frame = encodeSndUd(5, 0x72, [...body])
  frame[4] = 0x08
  frame[frame.length - 2] = toSum(frame, 4, frame.length - 2)
  return frame
}

const makeRegisters = (random: Random): Uint8Array => {
  const registers = Array.from(
    { length: REGISTER_VALUES },
    () => toRegisters(random() * 1000, 'f32') ?? [],
  ).flat()
  return encodeRtu(1, { kind: 'registers', fc: 3, registers })
}

function decodeRegisters(bytes: Uint8Array): number {
  const frame = decodeRtu(bytes, 'reply')
  if (!('pdu' in frame) || frame.pdu.kind !== 'registers') throw new Error('no registers')
  let sum = 0
  for (let index = 0; index < REGISTER_VALUES; index++) {
    sum += readRegisters(frame.pdu.registers, 2 * index, 'f32') ?? 0
  }
  return sum
}

function decodeReply(bytes: Uint8Array): number {
  const frame = findCjt(bytes)
  const data = frame.kind === 'frame' ? decodeCjt(frame) : undefined
  if (data?.kind !== 'values') throw new Error('no values')
  return data.fields.length
}

function decodeTelegram(bytes: Uint8Array): number {
  const frame = findMbus(bytes)
  const data = 'ci' in frame ? decodeMbus(frame) : undefined
  if (data?.kind !== 'telegram' || data.records.length !== 12) throw new Error('no telegram')
  return data.records.length
}

/** Calls per second of processor time, over a list of frames again and again. */
function measure(frames: readonly Uint8Array[], work: (bytes: Uint8Array) => number): number {
  let checked = 0
  const run = (ms: number): number => {
    const from = process.cpuUsage()
    let calls = 0
    for (;;) {
      for (const frame of frames) checked += work(frame)
      calls += frames.length
      const { user, system } = process.cpuUsage(from)
      if (user + system > 1000 * ms) return calls / ((user + system) / 1e6)
    }
  }
  run(MEASURE_MS / 2)
  const perSecond = run(MEASURE_MS / 2)
  if (checked === 0) throw new Error('nothing was decoded')
  return perSecond
}

const codecs = [
  { figure: 'cjt188_frames_per_s', make: makeMeterReply, decode: decodeReply },
  { figure: 'mbus_frames_per_s', make: makeTelegram, decode: decodeTelegram },
  { figure: 'modbus_frames_per_s', make: makeRegisters, decode: decodeRegisters },
] as const

/** Decoding from the bytes of a frame to all of its values, on one core. */
export function measureCodecs(): BenchResult {
  const figures: Record<string, number> = {}
  const peers: BenchPeer[] = []
  const notes: string[] = []
  for (const { figure, make, decode } of codecs) {
    const random = createRandom(1)
    const frames = Array.from({ length: FRAMES }, () => make(random))
    figures[figure] = measure(frames, decode)
    peers.push({
      figure,
      label: 'the sum over the same bytes and nothing else, the limit of any decoder',
      value: measure(frames, (bytes) => toSum(bytes)),
    })
    notes.push(`${figure}: ${FRAMES} different frames of ${frames[0]?.length ?? 0} bytes.`)
  }
  const random = createRandom(1)
  const replies = Array.from({ length: FRAMES }, () => Buffer.from(makeRegisters(random)))
  peers.push({
    figure: 'modbus_frames_per_s',
    label: 'jsmodbus 5: registers of the same frames, without the check of the CRC and without the floats',
    value: measure(replies, (bytes) => ModbusRTUResponse.fromBuffer(Buffer.from(bytes))?.body.byteCount ?? 0),
  })
  return {
    figures,
    peers,
    notes: [
      ...notes,
      'Found, checked and decoded to every value with its exact text, per second of processor time. M-Bus: 12 records. Modbus: 12 floats in 24 registers.',
      'No npm package decodes CJ/T 188, or wired M-Bus from a buffer: node-mbus is native and owns the line.',
    ],
  }
}
