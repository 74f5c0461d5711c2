import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeviceMemory } from './device-memory.ts'
import { emptyReading, type MeterReading } from './meter-reading.ts'
import { createNumberRows } from './number-rows.ts'

const DEVICES = 40
const RULES = 14

const number = fc.oneof(fc.constant(Number.NaN), fc.double({ noNaN: true, min: -1e6, max: 1e9 }))
const reading: fc.Arbitrary<MeterReading> = fc
  .record({
    ts: fc.integer({ min: 1, max: 4_102_444_800_000 }),
    energyKwh: number,
    volumeM3: number,
    powerKw: number,
    flowM3h: number,
    supplyC: number,
    returnC: number,
    roomC: number,
    openingPct: number,
    hoursH: number,
  })
  .map((values) => ({ ...values, meterTime: Number.NaN }))
const id = fc.integer({ min: 1, max: DEVICES })
const rule = fc.integer({ min: 0, max: RULES - 1 })
const step = fc.oneof(
  fc.record({ op: fc.constant('remember' as const), id, reading }),
  fc.record({ op: fc.constant('start-day' as const), id, reading }),
  {
    weight: 8,
    arbitrary: fc.record({ op: fc.constant('push' as const), id, rule, isBad: fc.boolean(), reading }),
  },
  fc.record({ op: fc.constant('fill' as const), id, rule }),
  fc.record({ op: fc.constant('forget' as const), id, rule }),
  fc.record({ op: fc.constant('open' as const), id, rule, isOpen: fc.boolean() }),
  fc.record({ op: fc.constant('drop' as const), id }),
)
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

/** What is remembered of a device, as a plain object. */
interface Plain {
  last?: MeterReading | undefined
  day: { readonly ts: number; readonly hoursH: number }
  readonly history: number[]
  readonly isOpen: boolean[]
  readonly anchors: { readonly ts: number; readonly energyKwh: number; readonly volumeM3: number }[]
}

const noAnchor = { ts: Number.NaN, energyKwh: Number.NaN, volumeM3: Number.NaN }
const toPlain = (): Plain => ({
  day: { ts: Number.NaN, hoursH: Number.NaN },
  history: Array(RULES).fill(0),
  isOpen: Array(RULES).fill(false),
  anchors: Array(RULES).fill(noAnchor),
})

function applyPlain(plain: Map<number, Plain>, given: Step): void {
  const device = plain.get(given.id) ?? toPlain()
  plain.set(given.id, device)
  if (given.op === 'remember') device.last = given.reading
  else if (given.op === 'start-day') device.day = { ts: given.reading.ts, hoursH: given.reading.hoursH }
  else if (given.op === 'open') device.isOpen[given.rule] = given.isOpen
  else if (given.op === 'fill') device.history[given.rule] = 0xffff
  else if (given.op === 'forget') device.history[given.rule] = 0
  else if (given.op === 'drop') plain.delete(given.id)
  else {
    const before = device.history[given.rule] ?? 0
    device.history[given.rule] = ((before << 1) | Number(given.isBad)) & 0xffff
    const { ts, energyKwh, volumeM3 } = given.reading
    if (before === 0 && given.isBad) device.anchors[given.rule] = { ts, energyKwh, volumeM3 }
  }
  for (let at = 0; at < RULES; at += 1) if (device.history[at] === 0) device.anchors[at] = noAnchor
}

function apply(memory: ReturnType<typeof createDeviceMemory>, given: Step): void {
  if (given.op === 'remember') memory.remember(given.id, given.reading)
  else if (given.op === 'start-day') memory.setDayStart(given.id, given.reading)
  else if (given.op === 'open') memory.setOpen(given.id, given.rule, given.isOpen)
  else if (given.op === 'drop') memory.drop(given.id)
  else if (given.op !== 'push') memory[given.op](given.id, given.rule)
  else {
    const before = memory.history(given.id, given.rule)
    memory.push(given.id, given.rule, given.isBad)
    if (before === 0 && given.isBad) memory.setAnchor(given.id, given.rule, given.reading)
  }
}

test('after any operations, the memory of each device is that of a plain object', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000, size: 'max' }), (steps) => {
      const memory = createDeviceMemory()
      const plain = new Map<number, Plain>()
      for (const given of steps) {
        apply(memory, given)
        applyPlain(plain, given)
      }
      for (let each = 1; each <= DEVICES + 1; each += 1) {
        const expected = plain.get(each) ?? toPlain()
        const last = { ...emptyReading }
        expect(memory.restore(each, last)).toBe(expected.last !== undefined)
        expect(last).toEqual(expected.last ?? emptyReading)
        expect(memory.dayStart(each)).toEqual(expected.day)
        expect(memory.isAnyOpen(each)).toBe(expected.isOpen.includes(true))
        for (let at = 0; at < RULES; at += 1) {
          expect(memory.history(each, at)).toBe(expected.history[at])
          expect(memory.isOpen(each, at)).toBe(expected.isOpen[at])
          expect(memory.anchor(each, at)).toEqual(expected.anchors[at])
          const isRestless = expected.isOpen[at] === true || expected.history[at] !== 0
          expect((memory.restless(each) & (1 << at)) !== 0).toBe(isRestless)
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('devices in many pieces keep their readings while they report more metrics', () => {
  const memory = createDeviceMemory()
  const ids = Array.from({ length: 5_000 }, (_, index) => index + 1)
  for (const each of ids) memory.remember(each, { ...emptyReading, ts: 1, roomC: each })
  for (const each of ids)
    memory.remember(each, { ...emptyReading, ts: 2, roomC: each, energyKwh: each + 0.5, hoursH: -each })
  const last = { ...emptyReading }
  for (const each of ids) {
    expect(memory.restore(each, last)).toBe(true)
    expect(last).toEqual({ ...emptyReading, ts: 2, roomC: each, energyKwh: each + 0.5, hoursH: -each })
  }
})

test('a row of numbers refuses more columns than it has bits for', () => {
  const rows = createNumberRows({ cellsPerColumn: 1 })
  rows.reshape(1, 2 ** 16 - 1)
  expect(() => rows.reshape(1, 2 ** 16)).toThrow(RangeError)
})
