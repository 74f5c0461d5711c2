import { z } from 'zod'
import type { DeviceKind } from '../devices.ts'
import { type MetricName, quality } from '../metrics.ts'
import type { FindingRule } from './finding.ts'

/** Severities, worst first. */
export const alarmSeverity = z.enum(['critical', 'major', 'minor', 'warning'])
export type AlarmSeverity = z.infer<typeof alarmSeverity>

/** What can stop or fail at a node, apart from its devices. */
export type StoppedThing =
  | 'strategy'
  | 'campaign'
  | 'irrigation-stuck'
  | 'irrigation-flow'
  | 'irrigation-leak'
  | 'irrigation-halt'
  | 'irrigation-budget'
  | 'irrigation-missed'
  | 'irrigation-unmeasured'

/**
 * Source of an alarm's measure: a metric of a reading; the difference between a valve's target and its opening; quality
 * bits of a reading; the presence of a device (1 silent, 0 present); the share of a subtree's devices that became silent
 * together, %; whether a plausibility rule currently has a finding on a device (1 yes, 0 no); or whether a strategy of a
 * node stopped, or a campaign aborted, automatically and waits for a decision, or irrigation of a node has a fault (1 yes, 0 no).
 */
export type AlarmSource =
  | { readonly from: 'metric'; readonly metric: MetricName; readonly when: 'above' | 'below' }
  | { readonly from: 'gap'; readonly when: 'above' }
  | { readonly from: 'quality'; readonly bits: number; readonly when: 'above' }
  | { readonly from: 'presence'; readonly when: 'above' }
  | { readonly from: 'subtree'; readonly when: 'above' }
  | { readonly from: 'finding'; readonly rule: FindingRule; readonly when: 'above' }
  | { readonly from: 'stopped'; readonly what: StoppedThing; readonly when: 'above' }

const day = z.string().regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'is not a day such as 11-15')

/** Days of the year, both included. A season that starts after its end includes New Year. */
export const alarmSeason = z.object({ from: day, to: day })
export type AlarmSeason = z.infer<typeof alarmSeason>

/** Hours of the local day, end excluded. If the end is before the start, the span includes midnight. */
export const alarmHours = z
  .object({ from: z.number().int().min(0).max(23), to: z.number().int().min(1).max(24) })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'contains no hour' })
export type AlarmHours = z.infer<typeof alarmHours>

/** Longest delay: one day. */
export const MAX_ALARM_DELAY_S = 86_400

const delayS = z.number().int().min(0).max(MAX_ALARM_DELAY_S)
const threshold = z.number().min(-1_000_000).max(1_000_000)

/** When a kind of alarm is raised and cleared. */
export const alarmSettings = z.object({
  /** A disabled rule also stops the rules above it from raising alarms here. */
  enabled: z.boolean(),
  severity: alarmSeverity,
  /** Threshold in the unit of the measure; null if the source has no threshold. */
  raiseAt: threshold.nullable(),
  /** Threshold for clearing: equal to raiseAt, or on its good side (hysteresis). */
  clearAt: threshold.nullable(),
  /** How long the measure must be beyond raiseAt before the alarm is raised, s. */
  raiseAfterS: delayS,
  /** How long the measure must be within clearAt before the alarm is cleared, s. */
  clearAfterS: delayS,
  /** Absent: all year. */
  season: alarmSeason.nullable(),
  /** Absent: all day. */
  hours: alarmHours.nullable(),
})
export type AlarmSettings = z.infer<typeof alarmSettings>

export interface AlarmKindDefinition {
  readonly source: AlarmSource
  /** Kinds of device that can have it, or that an alarm of a subtree counts. Empty if only nodes can have it. */
  readonly devices: readonly DeviceKind[]
  /** Settings of the default rule. */
  readonly standard: AlarmSettings
}

const HEATING: AlarmSeason = { from: '11-15', to: '03-15' }
const always = { enabled: true, season: null, hours: null } as const
const heating = { ...always, season: HEATING } as const
/** For kinds whose limits differ from network to network: no alarm without a rule. */
const onRequest = { ...always, enabled: false } as const
/** No delay: a plausibility rule needs several readings before it has a finding. */
const shown: AlarmSettings = {
  ...always,
  severity: 'minor',
  raiseAt: null,
  clearAt: null,
  raiseAfterS: 0,
  clearAfterS: 0,
}
/** No delay: a stopped balance stays stopped until a person decides. */
const stopped: AlarmSettings = { ...shown, severity: 'major' }
const meters = ['heat-meter', 'valve', 'station'] as const
const QUARTER_S = 900
const HOUR_S = 3_600

/** The registry of alarm kinds. The alarm engine, the rules and the pages read it. */
export const alarmKinds = {
  'subtree-silent': {
    source: { from: 'subtree', when: 'above' },
    devices: ['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator', 'sensor'],
    standard: {
      ...always,
      severity: 'critical',
      raiseAt: 50,
      clearAt: 10,
      // Devices become silent at different times within a report period. The delay is longer than these differences.
      raiseAfterS: 600,
      clearAfterS: 0,
    },
  },
  'concentrator-silent': {
    source: { from: 'presence', when: 'above' },
    devices: ['concentrator'],
    standard: {
      ...always,
      severity: 'major',
      raiseAt: null,
      clearAt: null,
      raiseAfterS: QUARTER_S,
      clearAfterS: 0,
    },
  },
  'device-silent': {
    source: { from: 'presence', when: 'above' },
    devices: ['valve', 'heat-meter', 'room-sensor', 'station', 'sensor'],
    standard: {
      ...always,
      severity: 'minor',
      raiseAt: null,
      clearAt: null,
      raiseAfterS: QUARTER_S,
      clearAfterS: 0,
    },
  },
  'room-cold': {
    source: { from: 'metric', metric: 'temp.room', when: 'below' },
    devices: ['room-sensor'],
    standard: {
      ...heating,
      severity: 'minor',
      raiseAt: 18,
      clearAt: 18.5,
      raiseAfterS: HOUR_S,
      clearAfterS: QUARTER_S,
    },
  },
  'room-hot': {
    source: { from: 'metric', metric: 'temp.room', when: 'above' },
    devices: ['room-sensor'],
    standard: {
      ...heating,
      enabled: false,
      severity: 'warning',
      raiseAt: 26,
      clearAt: 25,
      raiseAfterS: HOUR_S,
      clearAfterS: QUARTER_S,
    },
  },
  'valve-off-target': {
    source: { from: 'gap', when: 'above' },
    devices: ['valve'],
    standard: {
      ...always,
      severity: 'minor',
      raiseAt: 10,
      clearAt: 3,
      raiseAfterS: HOUR_S,
      clearAfterS: 0,
    },
  },
  'supply-cold': {
    source: { from: 'metric', metric: 'temp.supply', when: 'below' },
    devices: ['station'],
    standard: {
      ...onRequest,
      severity: 'major',
      raiseAt: 35,
      clearAt: 37,
      raiseAfterS: QUARTER_S,
      clearAfterS: QUARTER_S,
    },
  },
  'supply-hot': {
    source: { from: 'metric', metric: 'temp.supply', when: 'above' },
    devices: ['station'],
    standard: {
      ...always,
      severity: 'critical',
      raiseAt: 90,
      clearAt: 85,
      raiseAfterS: 0,
      clearAfterS: QUARTER_S,
    },
  },
  'return-hot': {
    source: { from: 'metric', metric: 'temp.return', when: 'above' },
    devices: ['station', 'valve', 'heat-meter'],
    standard: {
      ...onRequest,
      severity: 'warning',
      raiseAt: 45,
      clearAt: 43,
      raiseAfterS: HOUR_S,
      clearAfterS: QUARTER_S,
    },
  },
  'pressure-low': {
    source: { from: 'metric', metric: 'pressure.return', when: 'below' },
    devices: ['station'],
    standard: {
      ...onRequest,
      severity: 'critical',
      raiseAt: 150,
      clearAt: 180,
      raiseAfterS: 0,
      clearAfterS: QUARTER_S,
    },
  },
  'pressure-high': {
    source: { from: 'metric', metric: 'pressure.supply', when: 'above' },
    devices: ['station'],
    standard: {
      ...onRequest,
      severity: 'critical',
      raiseAt: 1_000,
      clearAt: 950,
      raiseAfterS: 0,
      clearAfterS: QUARTER_S,
    },
  },
  'battery-low': {
    source: { from: 'metric', metric: 'bat.v', when: 'below' },
    devices: ['valve', 'heat-meter', 'room-sensor', 'sensor'],
    standard: {
      // For a 3.6 V lithium cell, whose voltage drops only at the end of its life.
      ...always,
      severity: 'warning',
      raiseAt: 3.2,
      clearAt: 3.4,
      raiseAfterS: 6 * HOUR_S,
      clearAfterS: HOUR_S,
    },
  },
  'signal-weak': {
    source: { from: 'metric', metric: 'rssi', when: 'below' },
    devices: ['valve', 'heat-meter', 'room-sensor', 'concentrator', 'sensor'],
    standard: {
      ...onRequest,
      severity: 'warning',
      raiseAt: -115,
      clearAt: -110,
      raiseAfterS: 6 * HOUR_S,
      clearAfterS: HOUR_S,
    },
  },
  'sensor-fault': {
    source: { from: 'quality', bits: quality.sensorFault | quality.outOfRange, when: 'above' },
    devices: ['valve', 'heat-meter', 'room-sensor', 'station', 'sensor'],
    standard: {
      ...always,
      severity: 'minor',
      raiseAt: null,
      clearAt: null,
      raiseAfterS: HOUR_S,
      clearAfterS: QUARTER_S,
    },
  },
  'meter-scale': {
    source: { from: 'finding', rule: 'scale', when: 'above' },
    devices: meters,
    standard: shown,
  },
  'sensors-swapped': {
    source: { from: 'finding', rule: 'swapped-sensors', when: 'above' },
    devices: meters,
    standard: shown,
  },
  'flow-reversed': {
    source: { from: 'finding', rule: 'reversed-flow', when: 'above' },
    devices: meters,
    standard: shown,
  },
  'valve-leaking': {
    source: { from: 'finding', rule: 'closed-valve', when: 'above' },
    devices: meters,
    standard: shown,
  },
  'strategy-halted': {
    source: { from: 'stopped', what: 'strategy', when: 'above' },
    devices: [],
    standard: stopped,
  },
  'campaign-aborted': {
    source: { from: 'stopped', what: 'campaign', when: 'above' },
    devices: [],
    standard: stopped,
  },
  'irrigation-stuck': {
    source: { from: 'stopped', what: 'irrigation-stuck', when: 'above' },
    devices: [],
    standard: { ...stopped, severity: 'critical' },
  },
  'irrigation-flow': {
    source: { from: 'stopped', what: 'irrigation-flow', when: 'above' },
    devices: [],
    standard: stopped,
  },
  'irrigation-leak': {
    source: { from: 'stopped', what: 'irrigation-leak', when: 'above' },
    devices: [],
    standard: { ...stopped, severity: 'critical' },
  },
  'irrigation-halt': {
    source: { from: 'stopped', what: 'irrigation-halt', when: 'above' },
    devices: [],
    standard: { ...stopped, severity: 'critical' },
  },
  'irrigation-budget': {
    source: { from: 'stopped', what: 'irrigation-budget', when: 'above' },
    devices: [],
    standard: { ...stopped, severity: 'warning' },
  },
  'irrigation-missed': {
    source: { from: 'stopped', what: 'irrigation-missed', when: 'above' },
    devices: [],
    standard: stopped,
  },
  'irrigation-unmeasured': {
    source: { from: 'stopped', what: 'irrigation-unmeasured', when: 'above' },
    devices: [],
    // After an outage of the server, values of before it are old until the devices report.
    standard: { ...stopped, raiseAfterS: QUARTER_S },
  },
} as const satisfies Record<string, AlarmKindDefinition>

export type AlarmKind = keyof typeof alarmKinds

export const alarmKindNames = Object.keys(alarmKinds) as [AlarmKind, ...AlarmKind[]]
export const alarmKind = z.enum(alarmKindNames)

export const alarmKindDefinition = (kind: AlarmKind): AlarmKindDefinition => alarmKinds[kind]

/** Whether rules of the kind have thresholds. */
export const hasThresholds = (kind: AlarmKind): boolean => alarmKindDefinition(kind).standard.raiseAt !== null
