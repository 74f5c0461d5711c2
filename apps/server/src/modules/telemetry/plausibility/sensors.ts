import { judge, type MeterProfile, type MeterReading, type Verdict } from './meter-reading.ts'

/**
 * R1: values beyond the range of the meter. Values that no sensor can report are found by the ranges of the metrics.
 */
export function checkRange(now: MeterReading, profile: MeterProfile): Verdict {
  const flow = Math.abs(now.flowM3h)
  if (flow > 2 * profile.maxFlowM3h) return { bad: { flowM3h: now.flowM3h } }
  const maxKw = 1.163 * 2 * profile.maxFlowM3h * profile.maxDifferenceK
  if (Math.abs(now.powerKw) > maxKw) return { bad: { powerKw: now.powerKw, maxKw } }
  return Number.isNaN(flow) && Number.isNaN(now.powerKw) ? undefined : 'good'
}

/** R11, one reading: no value changed since the last one, in any digit, temperatures included. */
export function checkFrozen(now: MeterReading, before: MeterReading): Verdict {
  if (Number.isNaN(now.energyKwh + now.volumeM3 + now.supplyC + now.returnC)) return undefined
  const isSame =
    now.energyKwh === before.energyKwh &&
    now.volumeM3 === before.volumeM3 &&
    now.supplyC === before.supplyC &&
    now.returnC === before.returnC
  return judge(isSame, () => ({ energyKwh: now.energyKwh, supplyC: now.supplyC, returnC: now.returnC }))
}

/** Value of a converter for a broken or short-circuited resistor. It does not occur in a pipe of heating water. */
const isBroken = (pipeC: number): boolean => pipeC === 0 || Math.abs(pipeC) >= 199.9

const JUMP_K = 20
/** Longest time between two readings for the jump check, in periods. A missed reading may hide a slow change. */
const MAX_PERIODS = 1.5

/** Hot water arrives suddenly when a valve opens, so that is no jump of the sensor. */
const hasFlowed = (before: MeterReading, profile: MeterProfile): boolean =>
  !(before.flowM3h <= profile.minFlowM3h) && !(before.openingPct <= 2)

/** R12: an interrupted, short-circuited or jumping sensor. */
export function checkSensors(
  now: MeterReading,
  before: MeterReading | undefined,
  periodMs: number,
  profile: MeterProfile,
): Verdict {
  if (isBroken(now.supplyC)) return { bad: { sensor: 'supply', valueC: now.supplyC } }
  if (isBroken(now.returnC)) return { bad: { sensor: 'return', valueC: now.returnC } }
  if (Number.isNaN(now.supplyC) && Number.isNaN(now.returnC) && Number.isNaN(now.roomC)) return undefined
  if (!before || now.ts - before.ts > MAX_PERIODS * periodMs) return 'good'
  const jumps: readonly (readonly [string, number, boolean])[] = [
    ['supply', now.supplyC - before.supplyC, hasFlowed(before, profile)],
    ['return', now.returnC - before.returnC, hasFlowed(before, profile)],
    ['room', now.roomC - before.roomC, true],
  ]
  const found = jumps.find(([, jumpK, counts]) => counts && Math.abs(jumpK) > JUMP_K)
  return found ? { bad: { sensor: found[0], jumpK: found[1] } } : 'good'
}
