import { hoursBetween, judge, type MeterProfile, type MeterReading, type Verdict } from './meter-reading.ts'
import { coefficientOf } from './power-balance.ts'

/** Tolerance of R4, as a share of the expected growth. */
const TOLERANCE = 0.15
/** Longest time between two readings for the check, h. A longer one hides too much. */
const MAX_GAP_H = 2
/** Energy below which the resolution of the registers dominates, in steps. */
const MIN_STEPS = 4

/** R4: growth of energy against power, and against volume and temperatures. */
export function checkEnergyGrowth(now: MeterReading, before: MeterReading, profile: MeterProfile): Verdict {
  const hours = hoursBetween(before, now)
  if (!(hours > 0 && hours <= MAX_GAP_H)) return undefined
  const grown = now.energyKwh - before.energyKwh
  if (!(grown >= 0)) return undefined
  const steps = 2 * profile.energyStepKwh
  const byPower = ((now.powerKw + before.powerKw) / 2) * hours
  if (Math.max(grown, byPower) > MIN_STEPS * profile.energyStepKwh) {
    const bad = Math.abs(grown - byPower) > TOLERANCE * Math.abs(byPower) + steps
    if (bad) return { bad: { grownKwh: grown, byPowerKwh: byPower } }
  }
  const difference = (now.supplyC - now.returnC + before.supplyC - before.returnC) / 2
  const coefficient = coefficientOf(now)
  const byVolume = coefficient * (now.volumeM3 - before.volumeM3) * difference
  if (!(now.volumeM3 >= before.volumeM3)) return Number.isNaN(byPower) ? undefined : 'good'
  const volumeSteps = 2 * profile.volumeStepM3 * coefficient * Math.abs(difference)
  const isOff = Math.abs(grown - byVolume) > TOLERANCE * Math.abs(byVolume) + steps + volumeSteps
  return judge(isOff, () => ({ grownKwh: grown, byVolumeKwh: byVolume }))
}

/** What happened to a register. `jitter` counts as unchanged. */
export type RegisterStep = 'unknown' | 'grown' | 'jitter' | 'rollover' | 'meter-change' | 'fall'

/** A decrease of at most this many steps of the register counts as unchanged. */
const JITTER_STEPS = 2
/** A rollover leads from above this share of the capacity to below the other one. */
const NEAR_END = 0.9
const NEAR_START = 0.1
/** A new meter starts near 0: at most this share of the old value. */
const NEW_METER = 0.02

interface Register {
  readonly stepSize: number
  readonly capacities: readonly number[]
}

/** R5 for one register; `isNewMeter`: the operating hours started again as well. */
function judgeRegister(
  now: number,
  before: number,
  { stepSize, capacities }: Register,
  isNewMeter: boolean,
): RegisterStep {
  if (Number.isNaN(now) || Number.isNaN(before)) return 'unknown'
  if (now >= before) return 'grown'
  // Slightly more than two steps, because steps such as 0.1 are not exact in binary.
  if (before - now <= JITTER_STEPS * stepSize * 1.000_001) return 'jitter'
  const isOver = capacities.some(
    (capacity) => before >= NEAR_END * capacity && before <= capacity && now <= NEAR_START * capacity,
  )
  if (isOver) return 'rollover'
  return isNewMeter && now <= NEW_METER * before ? 'meter-change' : 'fall'
}

const hasHoursReset = (now: MeterReading, before: MeterReading): boolean =>
  now.hoursH <= NEW_METER * before.hoursH

/** R5 for the energy register. */
export const judgeEnergy = (now: MeterReading, before: MeterReading, profile: MeterProfile): RegisterStep =>
  judgeRegister(
    now.energyKwh,
    before.energyKwh,
    { stepSize: profile.energyStepKwh, capacities: profile.energyCapacitiesKwh },
    hasHoursReset(now, before),
  )

/** R5 for the volume register. */
export const judgeVolume = (now: MeterReading, before: MeterReading, profile: MeterProfile): RegisterStep =>
  judgeRegister(
    now.volumeM3,
    before.volumeM3,
    { stepSize: profile.volumeStepM3, capacities: profile.volumeCapacitiesM3 },
    hasHoursReset(now, before),
  )

/** Heat of water, kWh per m³ and K. */
const HEAT_KWH_M3_K = 1.163
/** Margin of R6 over the largest flow and temperature difference of the meter. */
const JUMP_MARGIN = 1.2

/** R6: more energy than the meter can measure in the time. */
export function checkJump(now: MeterReading, before: MeterReading, profile: MeterProfile): Verdict {
  const hours = hoursBetween(before, now)
  const grown = now.energyKwh - before.energyKwh
  if (!(hours > 0 && grown >= 0)) return undefined
  const maxKwh = HEAT_KWH_M3_K * profile.maxFlowM3h * profile.maxDifferenceK * hours * JUMP_MARGIN
  return judge(grown > maxKwh + 2 * profile.energyStepKwh, () => ({ grownKwh: grown, maxKwh }))
}
