import type { MeterReading } from './meter-reading.ts'

/** Fields of the last reading that are kept, in their order. */
const KEPT = [
  'ts',
  'energyKwh',
  'volumeM3',
  'powerKw',
  'flowM3h',
  'supplyC',
  'returnC',
  'roomC',
  'openingPct',
  'hoursH',
] as const satisfies readonly (keyof MeterReading)[]

/** Instant, energy and volume of an anchor; of that of the hours instant and hours. */
const ANCHOR = 3

/**
 * What the rules remember of each device, some 400 bytes of a meter and 180 of another: its last reading, and of each rule which of the last sixteen
 * readings were bad and the registers when that began. Kept in arrays, for 230,000 devices are no objects.
 */
export interface DeviceMemory {
  /** Where a device is kept; made on demand. */
  slotOf(deviceId: number): number
  /** Fills in the last reading; false when there was none. */
  recall(slot: number, into: MeterReading): boolean
  keep(slot: number, reading: MeterReading): void
  /** Which of a rule's last readings were bad, the newest in the lowest bit. */
  history(slot: number, rule: number): number
  push(slot: number, rule: number, isBad: boolean): number
  fill(slot: number, rule: number): void
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
  const stride = KEPT.length + ruleCount * ANCHOR
  const slots = new Map<number, number>()
  let numbers = new Float64Array(0)
  let histories = new Uint16Array(0)
  let open = new Uint32Array(0)

  function grow(size: number): void {
    const [numbersBefore, historiesBefore, openBefore] = [numbers, histories, open]
    numbers = new Float64Array(size * stride).fill(Number.NaN)
    numbers.set(numbersBefore)
    histories = new Uint16Array(size * ruleCount)
    histories.set(historiesBefore)
    open = new Uint32Array(size)
    open.set(openBefore)
  }

  const at = (slot: number, rule: number): number => slot * stride + KEPT.length + rule * ANCHOR

  return {
    slotOf(deviceId) {
      const known = slots.get(deviceId)
      if (known !== undefined) return known
      const slot = slots.size
      if (slot >= open.length) grow(Math.max(FIRST_SLOTS, Math.ceil(open.length * 1.25)))
      slots.set(deviceId, slot)
      return slot
    },
    recall(slot, into) {
      const start = slot * stride
      if (Number.isNaN(numbers[start] ?? Number.NaN)) return false
      for (let field = 0; field < KEPT.length; field += 1) {
        const name = KEPT[field]
        if (name) into[name] = numbers[start + field] ?? Number.NaN
      }
      return true
    },
    keep(slot, reading) {
      const start = slot * stride
      for (let field = 0; field < KEPT.length; field += 1) {
        const name = KEPT[field]
        if (name) numbers[start + field] = reading[name]
      }
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
      numbers = new Float64Array(0)
      histories = new Uint16Array(0)
      open = new Uint32Array(0)
    },
  }
}
