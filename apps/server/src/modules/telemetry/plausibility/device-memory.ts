import { createIdColumn } from '../../../platform/columns/id-column.ts'
import type { Anchor } from './installation.ts'
import type { MeterReading } from './meter-reading.ts'
import { createNumberRows } from './number-rows.ts'

/** Operating hours at the start of a day; NaN if there are none yet. */
interface DayStart {
  /** Unix ms. */
  readonly ts: number
  readonly hoursH: number
}

/**
 * What the plausibility rules remember of each device: its last reading; for each rule, which of the last sixteen readings
 * were bad, and the meter registers at the first bad one (the anchor).
 */
export interface DeviceMemory {
  /** Copies the last reading into `into`; returns false if there is none. */
  restore(deviceId: number, into: MeterReading): boolean
  remember(deviceId: number, reading: MeterReading): void
  /** Which of the last readings were bad for a rule; the newest is the lowest bit. */
  history(deviceId: number, rule: number): number
  push(deviceId: number, rule: number, isBad: boolean): number
  /** `fill` marks all last readings of a rule as bad, `forget` none. */
  fill(deviceId: number, rule: number): void
  forget(deviceId: number, rule: number): void
  /** Rules, one bit each, for which one of the last readings was bad or a finding is open. Nearly always 0. */
  restless(deviceId: number): number
  isOpen(deviceId: number, rule: number): boolean
  setOpen(deviceId: number, rule: number, isOpen: boolean): void
  /** NaN in all fields if none was set since the last readings were all good. */
  anchor(deviceId: number, rule: number): Anchor
  /** Has no effect while none of the last readings was bad for the rule. */
  setAnchor(deviceId: number, rule: number, anchor: Anchor): void
  dayStart(deviceId: number): DayStart
  setDayStart(deviceId: number, start: DayStart): void
  /** Whether a finding of any rule is open. */
  isAnyOpen(deviceId: number): boolean
  /** Forgets everything of a device. */
  drop(deviceId: number): void
}

const HISTORY = 0xffff

/** Columns of a reading that a device has reported, one bit each. */
const TS = 1 << 0
const ENERGY = 1 << 1
const VOLUME = 1 << 2
const POWER = 1 << 3
const FLOW = 1 << 4
const SUPPLY = 1 << 5
const RETURN = 1 << 6
const ROOM = 1 << 7
const OPENING = 1 << 8
const HOURS = 1 << 9
/** Number of the first of two columns of the start of the day, instant and hours, and their bits. */
const DAY_TS = 10
const DAY = 0b11 << DAY_TS
const NO_DAY: DayStart = { ts: Number.NaN, hoursH: Number.NaN }
/** Cells of a rule with a bad reading: history, and instant, energy and volume of the anchor. */
const TROUBLE_CELLS = 4

const toBit = (value: number, bit: number): number => (Number.isNaN(value) ? 0 : bit)

const toColumns = (reading: MeterReading): number =>
  TS |
  toBit(reading.energyKwh, ENERGY) |
  toBit(reading.volumeM3, VOLUME) |
  toBit(reading.powerKw, POWER) |
  toBit(reading.flowM3h, FLOW) |
  toBit(reading.supplyC, SUPPLY) |
  toBit(reading.returnC, RETURN) |
  toBit(reading.roomC, ROOM) |
  toBit(reading.openingPct, OPENING) |
  toBit(reading.hoursH, HOURS)

/**
 * Typed arrays by device id. A device has cells only for what it reports, and a rule only while one of the last readings was
 * bad for it: 70 bytes for a meter and 30 for a room sensor of which no rule has anything to remember.
 */
export function createDeviceMemory(): DeviceMemory {
  const readings = createNumberRows({ cellsPerColumn: 1 })
  /** A column for each rule with a bad reading. */
  const troubles = createNumberRows({ cellsPerColumn: TROUBLE_CELLS })
  const open = createIdColumn(0, Uint32Array)
  /** The row that `take` and `give` go through. */
  let columns = 0
  let cells = readings.pieceOf(0)
  let at = 0

  // Field by field, because a loop over names is several times slower.
  function begin(deviceId: number): void {
    columns = readings.columnsOf(deviceId)
    cells = readings.pieceOf(deviceId)
    at = readings.startOf(deviceId)
  }
  function take(bit: number): number {
    if ((columns & bit) === 0) return Number.NaN
    at += 1
    return cells[at - 1] ?? Number.NaN
  }
  function give(bit: number, value: number): void {
    if ((columns & bit) === 0) return
    cells[at] = value
    at += 1
  }

  const hasTrouble = (deviceId: number, rule: number): boolean =>
    (troubles.columnsOf(deviceId) & (1 << rule)) !== 0

  const history = (deviceId: number, rule: number): number =>
    hasTrouble(deviceId, rule) ? (troubles.pieceOf(deviceId)[troubles.find(deviceId, rule)] ?? 0) : 0

  function setHistory(deviceId: number, rule: number, bits: number): void {
    const known = troubles.columnsOf(deviceId)
    const wanted = bits === 0 ? known & ~(1 << rule) : known | (1 << rule)
    if (wanted !== known) troubles.reshape(deviceId, wanted)
    if (bits !== 0) troubles.pieceOf(deviceId)[troubles.find(deviceId, rule)] = bits
  }

  return {
    restore(deviceId, into) {
      begin(deviceId)
      if ((columns & TS) === 0) return false
      into.ts = take(TS)
      into.energyKwh = take(ENERGY)
      into.volumeM3 = take(VOLUME)
      into.powerKw = take(POWER)
      into.flowM3h = take(FLOW)
      into.supplyC = take(SUPPLY)
      into.returnC = take(RETURN)
      into.roomC = take(ROOM)
      into.openingPct = take(OPENING)
      into.hoursH = take(HOURS)
      return true
    },
    remember(deviceId, reading) {
      const known = readings.columnsOf(deviceId)
      const wanted = known | toColumns(reading)
      if (wanted !== known) readings.reshape(deviceId, wanted)
      begin(deviceId)
      give(TS, reading.ts)
      give(ENERGY, reading.energyKwh)
      give(VOLUME, reading.volumeM3)
      give(POWER, reading.powerKw)
      give(FLOW, reading.flowM3h)
      give(SUPPLY, reading.supplyC)
      give(RETURN, reading.returnC)
      give(ROOM, reading.roomC)
      give(OPENING, reading.openingPct)
      give(HOURS, reading.hoursH)
    },
    history,
    push(deviceId, rule, isBad) {
      const before = history(deviceId, rule)
      const pushed = ((before << 1) | Number(isBad)) & HISTORY
      if (pushed !== before) setHistory(deviceId, rule, pushed)
      return pushed
    },
    fill: (deviceId, rule) => setHistory(deviceId, rule, HISTORY),
    forget: (deviceId, rule) => setHistory(deviceId, rule, 0),
    restless: (deviceId) => troubles.columnsOf(deviceId) | open.get(deviceId),
    isOpen: (deviceId, rule) => (open.get(deviceId) & (1 << rule)) !== 0,
    setOpen(deviceId, rule, isOpen) {
      const before = open.get(deviceId)
      open.put(deviceId, isOpen ? before | (1 << rule) : before & ~(1 << rule))
    },
    anchor(deviceId, rule) {
      if (!hasTrouble(deviceId, rule)) return { ts: Number.NaN, energyKwh: Number.NaN, volumeM3: Number.NaN }
      const start = troubles.find(deviceId, rule)
      const [, ts = Number.NaN, energyKwh = Number.NaN, volumeM3 = Number.NaN] = troubles
        .pieceOf(deviceId)
        .subarray(start, start + TROUBLE_CELLS)
      return { ts, energyKwh, volumeM3 }
    },
    setAnchor(deviceId, rule, { ts, energyKwh, volumeM3 }) {
      if (!hasTrouble(deviceId, rule)) return
      troubles.pieceOf(deviceId).set([ts, energyKwh, volumeM3], troubles.find(deviceId, rule) + 1)
    },
    dayStart(deviceId) {
      if ((readings.columnsOf(deviceId) & DAY) === 0) return NO_DAY
      const start = readings.find(deviceId, DAY_TS)
      const piece = readings.pieceOf(deviceId)
      return { ts: piece[start] ?? Number.NaN, hoursH: piece[start + 1] ?? Number.NaN }
    },
    setDayStart(deviceId, { ts, hoursH }) {
      const known = readings.columnsOf(deviceId)
      if ((known & DAY) === 0) readings.reshape(deviceId, known | DAY)
      readings.pieceOf(deviceId).set([ts, hoursH], readings.find(deviceId, DAY_TS))
    },
    isAnyOpen: (deviceId) => open.get(deviceId) !== 0,
    drop(deviceId) {
      if (readings.columnsOf(deviceId) !== 0) readings.reshape(deviceId, 0)
      if (troubles.columnsOf(deviceId) !== 0) troubles.reshape(deviceId, 0)
      if (open.get(deviceId) !== 0) open.put(deviceId, 0)
    },
  }
}
