import type { MeterReading } from './meter-reading.ts'

/** Number of fields of the last reading. */
const FIELDS = 10
/** Number of fields of an anchor: instant, energy and volume. The rule about operating hours uses instant and hours. */
const ANCHOR = 3

/**
 * What the plausibility rules remember of each device: its last reading; for each rule, which of the last sixteen readings
 * were bad; and the meter registers at the first bad one (the anchor). It takes some 400 bytes for a meter and 180 for other
 * devices. It is stored in typed arrays, because 230,000 objects would take far more.
 */
export interface DeviceMemory {
  /** Slot of a device; assigned on first use. */
  slotOf(deviceId: number): number
  /** Copies the last reading into `into`; returns false if there is none. */
  restore(slot: number, into: MeterReading): boolean
  remember(slot: number, reading: MeterReading): void
  /** Which of the last readings were bad for a rule; the newest is the lowest bit. */
  history(slot: number, rule: number): number
  push(slot: number, rule: number, isBad: boolean): number
  /** `fill` marks all last readings of a rule as bad, `forget` none. */
  fill(slot: number, rule: number): void
  forget(slot: number, rule: number): void
  /** Whether none of the last readings was bad and no finding is open. */
  isCalm(slot: number, rule: number): boolean
  isOpen(slot: number, rule: number): boolean
  setOpen(slot: number, rule: number, isOpen: boolean): void
  anchor(slot: number, rule: number): { ts: number; energyKwh: number; volumeM3: number }
  setAnchor(slot: number, rule: number, ts: number, energyKwh: number, volumeM3: number): void
  devices(): number
  clear(): void
}

const FIRST_SLOTS = 256
const HISTORY = 0xffff

export function createDeviceMemory(ruleCount: number): DeviceMemory {
  const stride = ruleCount * ANCHOR
  const slots = new Map<number, number>()
  let last = new Float64Array(0)
  /** Anchors of all rules. */
  let numbers = new Float64Array(0)
  let histories = new Uint16Array(0)
  let open = new Uint32Array(0)

  function grow(size: number): void {
    const [lastBefore, numbersBefore, historiesBefore, openBefore] = [last, numbers, histories, open]
    last = new Float64Array(size * FIELDS).fill(Number.NaN)
    last.set(lastBefore)
    numbers = new Float64Array(size * stride).fill(Number.NaN)
    numbers.set(numbersBefore)
    histories = new Uint16Array(size * ruleCount)
    histories.set(historiesBefore)
    open = new Uint32Array(size)
    open.set(openBefore)
  }

  const at = (slot: number, rule: number): number => slot * stride + rule * ANCHOR

  return {
    slotOf(deviceId) {
      const known = slots.get(deviceId)
      if (known !== undefined) return known
      const slot = slots.size
      if (slot >= open.length) grow(Math.max(FIRST_SLOTS, Math.ceil(open.length * 1.25)))
      slots.set(deviceId, slot)
      return slot
    },
    // Field by field, because a loop over names is several times slower.
    restore(slot, into) {
      const start = slot * FIELDS
      const ts = last[start] ?? Number.NaN
      if (Number.isNaN(ts)) return false
      into.ts = ts
      into.energyKwh = last[start + 1] ?? Number.NaN
      into.volumeM3 = last[start + 2] ?? Number.NaN
      into.powerKw = last[start + 3] ?? Number.NaN
      into.flowM3h = last[start + 4] ?? Number.NaN
      into.supplyC = last[start + 5] ?? Number.NaN
      into.returnC = last[start + 6] ?? Number.NaN
      into.roomC = last[start + 7] ?? Number.NaN
      into.openingPct = last[start + 8] ?? Number.NaN
      into.hoursH = last[start + 9] ?? Number.NaN
      return true
    },
    remember(slot, reading) {
      const start = slot * FIELDS
      last[start] = reading.ts
      last[start + 1] = reading.energyKwh
      last[start + 2] = reading.volumeM3
      last[start + 3] = reading.powerKw
      last[start + 4] = reading.flowM3h
      last[start + 5] = reading.supplyC
      last[start + 6] = reading.returnC
      last[start + 7] = reading.roomC
      last[start + 8] = reading.openingPct
      last[start + 9] = reading.hoursH
    },
    history: (slot, rule) => histories[slot * ruleCount + rule] ?? 0,
    push(slot, rule, isBad) {
      const index = slot * ruleCount + rule
      const pushed = (((histories[index] ?? 0) << 1) | Number(isBad)) & HISTORY
      histories[index] = pushed
      return pushed
    },
    fill(slot, rule) {
      histories[slot * ruleCount + rule] = HISTORY
    },
    forget(slot, rule) {
      histories[slot * ruleCount + rule] = 0
    },
    isCalm: (slot, rule) =>
      histories[slot * ruleCount + rule] === 0 && ((open[slot] ?? 0) & (1 << rule)) === 0,
    isOpen: (slot, rule) => ((open[slot] ?? 0) & (1 << rule)) !== 0,
    setOpen(slot, rule, isOpen) {
      const before = open[slot] ?? 0
      open[slot] = isOpen ? before | (1 << rule) : before & ~(1 << rule)
    },
    anchor(slot, rule) {
      const start = at(slot, rule)
      return {
        ts: numbers[start] ?? Number.NaN,
        energyKwh: numbers[start + 1] ?? Number.NaN,
        volumeM3: numbers[start + 2] ?? Number.NaN,
      }
    },
    setAnchor(slot, rule, ts, energyKwh, volumeM3) {
      const start = at(slot, rule)
      numbers[start] = ts
      numbers[start + 1] = energyKwh
      numbers[start + 2] = volumeM3
    },
    devices: () => slots.size,
    clear() {
      slots.clear()
      last = new Float64Array(0)
      numbers = new Float64Array(0)
      histories = new Uint16Array(0)
      open = new Uint32Array(0)
    },
  }
}
