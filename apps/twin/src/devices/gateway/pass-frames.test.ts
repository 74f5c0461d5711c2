import { toHex } from '@isotherm/codecs/bytes/hex'
import { EVERY_METER, encodeCjtRead, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { rawMessage } from '@isotherm/contract/mqtt'
import { beforeEach, expect, it } from 'vitest'
import { createField, type Field } from '../../field/field.ts'
import { createSmall, small } from '../../scenarios/small-scenario.testkit.ts'
import { collectReports } from './collect-reports.ts'
import type { FieldGateway } from './field-gateway.ts'

const NOW = 1_763_683_200_000
const scenario = createSmall()
const meters = scenario.stations[0]?.buildings.flatMap(({ meter }) => meter?.serial ?? []) ?? []

let field: Field
let gateway: FieldGateway

function begin(changes: Parameters<typeof createSmall>[0] = {}): void {
  const options = { boot: 7, nowMs: NOW, pace: { minMoveS: 0 }, warmUp: 'cold' } as const
  field = createField(createSmall(changes), options)
  field.step(NOW, 60)
  const [first] = field.concentrators
  if (first === undefined) throw new Error('no concentrator')
  gateway = first
}
beforeEach(() => begin())

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
/** A frame to an address, with its bytes in bus order and a valid checksum. */
function request(address: string, rest: string): Uint8Array {
  const bytes = bytesOf(`6820${address}${rest}`)
  return Uint8Array.from([...bytes, bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0), 0x16])
}
const query = (...frames: readonly Uint8Array[]) =>
  field.passFrames(gateway, frames, NOW).flatMap((message) => rawMessage.parse(message).f)

const toReadRequest = (address: string, sequence: number): Uint8Array =>
  encodeCjtRead({ address: toCjtAddress(address) ?? EVERY_METER, sequence })

const FIRST = '01000000002222'

it('sends a read request to the bus and returns the values of the meter with that address', () => {
  const [frame, ...others] = query(toReadRequest(small.meter, 9))
  expect(others).toEqual([])
  expect(frame).toMatchObject({ id: small.meter, ts: NOW })
  const { hex = '' } = frame ?? {}
  expect(hex).toHaveLength(2 * 59)
  expect(hex.slice(0, 28)).toBe(`6820${FIRST}812E1F9009`)
  const meter = gateway.meters.find(({ serial }) => serial === small.meter)
  const energy = (hex.slice(38, 46).match(/../g) ?? []).reverse().join('')
  expect(Number(energy) / 100).toBe(Math.floor(meter?.energyKwh ?? 0))
})

it('replies in the byte order of the request, also after wake-up bytes', () => {
  const waking = Uint8Array.from([0xfe, 0xfe, ...request(FIRST, '0103901F09')])
  expect(query(waking)[0]?.hex.slice(0, 28)).toBe(`6820${FIRST}812E901F09`)
})

it('replies with its address on request, and refuses unsupported functions with sequence and status', () => {
  const answers = query(
    request(FIRST, '03030A8105'),
    request(FIRST, '0404A0170599'),
    request(FIRST, '010320D105'),
  )
  expect(answers.map(({ hex }) => hex.slice(0, -4))).toEqual([
    `6820${FIRST}83030A8105`,
    `6820${FIRST}C403050000`,
    `6820${FIRST}C103050000`,
  ])
})

it('reports nothing for a frame without an answer: unknown address, another meter type, wrong checksum, silent meter', () => {
  const good = toReadRequest(small.meter, 1)
  const water = request(FIRST, '01031F9001').map((byte, at) =>
    at === 1 ? 0x10 : at === 14 ? byte - 0x10 : byte,
  )
  const wrong = good.map((byte, at) => (at === 14 ? byte + 1 : byte))
  expect(query(toReadRequest('99999999999999', 1), water, wrong, new Uint8Array())).toEqual([])
  expect(field.passFrames(gateway, [new Uint8Array(600).fill(0xfe)], NOW)).toEqual([])
  expect(query(Uint8Array.from([...new Uint8Array(600).fill(0xfe), ...good]))).toEqual([])
  field.inject({ kind: 'offline', target: small.meter })
  expect(query(good)).toEqual([])
})

it('answers to the broadcast address from a single meter; answers of several collide', () => {
  const all = request('AA'.repeat(7), '03030A8105')
  expect(meters.length).toBeGreaterThan(1)
  expect(query(all)).toEqual([])
  for (const target of meters.slice(1)) field.inject({ kind: 'offline', target })
  expect(query(all)).toMatchObject([{ id: meters[0], hex: expect.stringContaining(FIRST) }])
})

it('shows faults of a meter in its frames as in its readings', () => {
  const temperatures = () => query(toReadRequest(small.meter, 1))[0]?.hex.slice(78, 90)
  field.inject({ kind: 'frozen', target: small.meter, metric: 'temp.supply' })
  const before = temperatures()
  field.step(NOW, 3 * 3600)
  expect(temperatures()?.slice(0, 6)).toBe(before?.slice(0, 6))
})

it('numbers passed frames together with traced frames', () => {
  begin({ firmware: { ...scenario.firmware, busTrace: true } })
  const good = toReadRequest(small.meter, 1)
  const own = [0, 30_000].flatMap((later) => collectReports(gateway, NOW + later, 60).raw)
  const passed = field.passFrames(gateway, [good, Uint8Array.of(1)], NOW)
  expect(own.length).toBeGreaterThan(0)
  expect(passed).toMatchObject([{ boot: 7, seq: own.length }])
  expect(passed[0]?.f).toMatchObject([
    { dir: 'tx', hex: toHex(good) },
    { id: small.meter },
    { dir: 'tx', hex: '01' },
  ])
})
