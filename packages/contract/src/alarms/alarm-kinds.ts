import { z } from 'zod'
import type { DeviceKind } from '../devices.ts'
import { type MetricName, quality } from '../metrics.ts'
import type { FindingRule } from './finding.ts'

/** How bad an alarm is, the worst first. */
export const alarmSeverity = z.enum(['critical', 'major', 'minor', 'warning'])
export type AlarmSeverity = z.infer<typeof alarmSeverity>

/**
 * Where an alarm's measure comes from: a metric of a reading; the gap between a valve's target and its opening;
 * quality bits of a reading; the presence of a device (1 silent, 0 there); the share of a subtree's devices that
 * fell silent together, %; whether a device's readings show something by a rule of plausibility (1 they do, 0 not); or
 * whether a strategy of a node halted, or a campaign aborted, by itself and waits for people (1 it did, 0 not).
 */
export type AlarmSource =
  | { readonly from: 'metric'; readonly metric: MetricName; readonly when: 'above' | 'below' }
  | { readonly from: 'gap'; readonly when: 'above' }
  | { readonly from: 'quality'; readonly bits: number; readonly when: 'above' }
  | { readonly from: 'presence'; readonly when: 'above' }
  | { readonly from: 'subtree'; readonly when: 'above' }
  | { readonly from: 'finding'; readonly rule: FindingRule; readonly when: 'above' }
  | { readonly from: 'stopped'; readonly what: 'strategy' | 'campaign'; readonly when: 'above' }

const day = z.string().regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'is no day such as 11-15')

/** Days of the year, both included; one that begins after it ends goes over the new year. */
export const alarmSeason = z.object({ from: day, to: day })
export type AlarmSeason = z.infer<typeof alarmSeason>

/** Hours of the local day, from the first up to and without the last; over midnight when they fall. */
export const alarmHours = z
  .object({ from: z.number().int().min(0).max(23), to: z.number().int().min(1).max(24) })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'leaves no hour' })
export type AlarmHours = z.infer<typeof alarmHours>

/** A day: more than any delay needs to be. */
export const MOST_ALARM_DELAY_S = 86_400

const delayS = z.number().int().min(0).max(MOST_ALARM_DELAY_S)
const threshold = z.number().min(-1_000_000).max(1_000_000)

/** When a kind of alarm is raised and cleared. */
export const alarmSettings = z.object({
  /** One that is switched off keeps rules higher up from raising anything here. */
  enabled: z.boolean(),
  severity: alarmSeverity,
  /** In the unit of what is measured; null where the source has no threshold. */
  raiseAt: threshold.nullable(),
  /** Hysteresis: on the good side of raiseAt, or the same. */
  clearAt: threshold.nullable(),
  /** How long it must be beyond raiseAt before it is raised, s. */
  raiseAfterS: delayS,
  /** How long it must be back behind clearAt before it is cleared, s. */
  clearAfterS: delayS,
  /** Absent: all year. */
  season: alarmSeason.nullable(),
  /** Absent: all day. */
  hours: alarmHours.nullable(),
})
export type AlarmSettings = z.infer<typeof alarmSettings>

export interface AlarmKindDefinition {
  readonly source: AlarmSource
  /** Devices that can have it; an alarm of a subtree counts these. None where only nodes can. */
  readonly devices: readonly DeviceKind[]
  /** What holds where no rule says otherwise. */
  readonly standard: AlarmSettings
}

const HEATING: AlarmSeason = { from: '11-15', to: '03-15' }
const always = { enabled: true, season: null, hours: null } as const
const heating = { ...always, season: HEATING } as const
/** Kinds whose limits differ from network to network: nothing is raised before a rule says so. */
const onRequest = { ...always, enabled: false } as const
/** What the rules of plausibility find has shown itself in several readings already. */
const shown: AlarmSettings = {
  ...always,
  severity: 'minor',
  raiseAt: null,
  clearAt: null,
  raiseAfterS: 0,
  clearAfterS: 0,
}
/** A balance that stopped stays so until a person decides. */
const stopped: AlarmSettings = { ...shown, severity: 'major' }
const meters = ['heat-meter', 'valve', 'station'] as const
const QUARTER_S = 900
const HOUR_S = 3_600

/** The registry of alarm kinds: what evaluates them, rules and pages read it. */
export const alarmKinds = {
  'subtree-silent': {
    source: { from: 'subtree', when: 'above' },
    devices: ['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator'],
    standard: {
      ...always,
      severity: 'critical',
      raiseAt: 50,
      clearAt: 10,
      // Longer than a part of the subtree can be ahead of the whole: devices fall silent over a report period.
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
    devices: ['valve', 'heat-meter', 'room-sensor', 'station'],
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
    devices: ['valve', 'heat-meter', 'room-sensor'],
    standard: {
      // Of a 3.6 V lithium cell, whose voltage falls only at its end.
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
    devices: ['valve', 'heat-meter', 'room-sensor', 'concentrator'],
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
    devices: ['valve', 'heat-meter', 'room-sensor', 'station'],
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
} as const satisfies Record<string, AlarmKindDefinition>

export type AlarmKind = keyof typeof alarmKinds

export const alarmKindNames = Object.keys(alarmKinds) as [AlarmKind, ...AlarmKind[]]
export const alarmKind = z.enum(alarmKindNames)

export const alarmKindDefinition = (kind: AlarmKind): AlarmKindDefinition => alarmKinds[kind]

/** Whether its rules name thresholds. */
export const hasThresholds = (kind: AlarmKind): boolean => alarmKindDefinition(kind).standard.raiseAt !== null
