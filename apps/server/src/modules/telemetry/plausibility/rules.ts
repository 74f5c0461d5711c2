import type { FindingDetail, FindingRule } from '@isotherm/contract/alarms/finding'
import { type MetricName, quality } from '@isotherm/contract/metrics'
import { checkMeterClock } from './clocks.ts'
import {
  type Anchor,
  checkClosedValve,
  checkNoHeat,
  checkReversed,
  checkSwapped,
  hasVolumeGrown,
  isHeatFlat,
} from './installation.ts'
import type { MeterProfile, MeterReading, Verdict } from './meter-reading.ts'
import { checkPowerBalance, checkScale } from './power-balance.ts'
import { checkEnergyGrowth, checkJump } from './registers.ts'
import { checkFrozen, checkRange, checkSensors } from './sensors.ts'

export interface RuleContext {
  readonly profile: MeterProfile
  /** Reporting period of the device, ms. */
  readonly periodMs: number
}

/** Conditions for a finding, and its effect on the quality of values. */
export interface Rule {
  readonly name: FindingRule
  /** Whether it applies only to heat meters. Other rules apply to every device that reports the values they need. */
  readonly onlyMeters: boolean
  /** Judges a reading, with the previous one of the device. */
  readonly check: (now: MeterReading, before: MeterReading | undefined, context: RuleContext) => Verdict
  /** A finding opens if `bad` of the last `of` readings are bad. */
  readonly bad: number
  readonly of: number
  /** Shortest duration of the bad readings, h. */
  readonly forH: number
  /** A further condition on the readings since the first bad one. */
  readonly confirm?: (now: MeterReading, anchor: Anchor, profile: MeterProfile) => boolean
  /** Quality bits for the values it doubts: of each bad reading, or only while the finding is open. */
  readonly bits: number
  readonly marks: 'each' | 'found'
  readonly doubted: (detail: FindingDetail) => readonly MetricName[]
}

const power = ['heat.power', 'heat.flow', 'temp.supply', 'temp.return'] as const
const energy = ['heat.energy'] as const
const meterValues = [
  'heat.energy',
  'heat.volume',
  'heat.power',
  'heat.flow',
  'temp.supply',
  'temp.return',
] as const
const sensors: Readonly<Record<string, readonly MetricName[]>> = {
  supply: ['temp.supply'],
  return: ['temp.return'],
  room: ['temp.room'],
}

/** A finding about the installation doubts no single value. */
const installation = { forH: 0, bits: 0, marks: 'found', doubted: () => [] } as const

type WithPrevious = (now: MeterReading, before: MeterReading, context: RuleContext) => Verdict
const withPrevious =
  (check: WithPrevious): Rule['check'] =>
  (now, before, context) =>
    before && check(now, before, context)

/**
 * The rules for single readings and short series. Sensors come first: the others ignore values that a sensor rule
 * doubts.
 */
export const rules: readonly Rule[] = [
  {
    name: 'sensor',
    onlyMeters: false,
    bad: 2,
    of: 3,
    forH: 0,
    bits: quality.sensorFault,
    marks: 'each',
    check: (now, before, { periodMs, profile }) => checkSensors(now, before, periodMs, profile),
    doubted: ({ sensor }) => sensors[String(sensor)] ?? [],
  },
  {
    name: 'range',
    onlyMeters: true,
    bad: 2,
    of: 3,
    forH: 0,
    bits: quality.outOfRange,
    marks: 'each',
    check: (now, _before, { profile }) => checkRange(now, profile),
    doubted: (detail) => ('powerKw' in detail ? ['heat.power'] : ['heat.flow']),
  },
  {
    name: 'power-balance',
    onlyMeters: true,
    bad: 3,
    of: 4,
    forH: 0,
    bits: quality.implausible,
    marks: 'each',
    check: (now, _before, { profile }) => checkPowerBalance(now, profile),
    doubted: () => power,
  },
  {
    ...installation,
    name: 'scale',
    onlyMeters: true,
    bad: 6,
    of: 8,
    check: (now, _before, { profile }) => checkScale(now, profile),
  },
  {
    name: 'energy-power',
    onlyMeters: true,
    bad: 3,
    of: 4,
    forH: 0,
    bits: quality.implausible,
    marks: 'each',
    check: withPrevious((now, before, { profile }) => checkEnergyGrowth(now, before, profile)),
    doubted: () => energy,
  },
  {
    name: 'jump',
    onlyMeters: true,
    bad: 1,
    of: 1,
    forH: 0,
    bits: quality.implausible,
    marks: 'each',
    check: withPrevious((now, before, { profile }) => checkJump(now, before, profile)),
    doubted: () => energy,
  },
  {
    ...installation,
    name: 'swapped-sensors',
    onlyMeters: true,
    bad: 6,
    of: 8,
    check: (now, _before, { profile }) => checkSwapped(now, profile),
    confirm: isHeatFlat,
  },
  {
    ...installation,
    name: 'reversed-flow',
    onlyMeters: true,
    bad: 6,
    of: 8,
    check: withPrevious((now, before, { profile }) => checkReversed(now, before, profile)),
  },
  {
    ...installation,
    name: 'no-heat',
    onlyMeters: true,
    bad: 6,
    of: 8,
    forH: 24,
    check: (now, _before, { profile }) => checkNoHeat(now, profile),
    confirm: hasVolumeGrown,
  },
  {
    ...installation,
    name: 'closed-valve',
    onlyMeters: false,
    bad: 3,
    of: 3,
    check: (now, _before, { profile }) => checkClosedValve(now, profile),
  },
  {
    // Five equal pairs of neighbours are six equal readings.
    name: 'frozen',
    onlyMeters: true,
    bad: 5,
    of: 5,
    forH: 0,
    bits: quality.stale,
    marks: 'found',
    check: withPrevious((now, before) => checkFrozen(now, before)),
    doubted: () => meterValues,
  },
  {
    ...installation,
    name: 'meter-clock',
    onlyMeters: false,
    bad: 2,
    of: 3,
    check: (now) => checkMeterClock(now),
  },
]
