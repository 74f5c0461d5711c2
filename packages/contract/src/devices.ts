import { z } from 'zod'
import { instant, version } from './entity.ts'
import { nodeKey } from './tree.ts'
import { valveCharacteristic, valveCurve } from './valve-characteristic.ts'

/**
 * Kinds of device. A valve is a motor valve at a unit's inlet; a station is the controller of a heat station. A sensor only measures, for
 * irrigation: flow, pressure, rain, soil moisture.
 */
export const deviceKind = z.enum(['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator', 'sensor'])
export type DeviceKind = z.infer<typeof deviceKind>

/** Kinds that a call names. */
export const deviceKinds = z.array(deviceKind).max(deviceKind.options.length)

/** What the caller can do with a device, decided on the server. */
export const ability = z.enum(['control', 'edit', 'remove'])
export type Ability = z.infer<typeof ability>

/** A retired device keeps its row and its history. It accepts no commands, and its readings do not count. */
export const deviceUse = z.enum(['in-use', 'retired'])
export type DeviceUse = z.infer<typeof deviceUse>

/** Range of openings of a valve, %. */
export const openingLimits = z.object({
  minPct: z.number().min(0).max(100),
  maxPct: z.number().min(0).max(100),
})
export type OpeningLimits = z.infer<typeof openingLimits>

/** A device of the registry, as visible to the caller. */
export const device = z.object({
  id: z.number().int().positive(),
  /** IMEI or serial: its name in MQTT messages. */
  imei: z.string(),
  /** IMEI of its radio if it has its own link; can differ from its name in MQTT messages. */
  radioImei: z.string().optional(),
  /** Number printed on a heat meter. */
  meterNo: z.string().optional(),
  kind: deviceKind,
  name: z.string(),
  model: z.string(),
  node: nodeKey,
  /** Names from the project down to its node, joined by commas. */
  nestaddr: z.string(),
  /** Serial of its concentrator; absent if it has its own link. */
  concentrator: z.string().optional(),
  /** Number of that concentrator. */
  concentratorId: z.number().int().positive().optional(),
  /** Report period, s. A reading older than three periods is stale. */
  periodS: z.number().positive(),
  limits: openingLimits.optional(),
  /** Stated characteristic of a valve. */
  characteristic: valveCharacteristic.optional(),
  /** Curve of a valve with which balancing starts: stated, else of the name plate, else the usual one. */
  curve: valveCurve.optional(),
  /** Last target opening of a valve, set by a command or otherwise, %, and its time. */
  lastOpenSet: z.object({ openingPct: z.number().min(0).max(100), at: instant }).optional(),
  description: z.string(),
  use: deviceUse,
  /** Time of retirement. */
  retiredAt: instant.optional(),
  /** Number of the device that replaced it. */
  replacedBy: z.number().int().positive().optional(),
  version,
  abilities: z.array(ability),
})
export type Device = z.infer<typeof device>

/** Newest values of a device by metric name. */
export const deviceState = z.object({
  deviceId: z.number().int().positive(),
  /** Instant of the newest reading, Unix ms UTC. */
  ts: z.number().int(),
  /** Quality bits of the newest reading (metrics.ts). */
  quality: z.number().int().nonnegative(),
  metrics: z.record(z.string(), z.number()),
  /**
   * Absent while the device reports. `silent`: it missed its reports. `unknown`: its concentrator is silent, so its own
   * state is not known.
   */
  absence: z.enum(['silent', 'unknown']).optional(),
})
export type DeviceState = z.infer<typeof deviceState>

/**
 * Whether a device reports. `silent`: it missed its reports. `unknown`: its concentrator is silent, so its own state
 * is not known. `never`: it has not reported since it was added.
 */
export const devicePresence = z.enum(['present', 'silent', 'unknown', 'never'])
export type DevicePresence = z.infer<typeof devicePresence>

/** How many report periods a reading may be old before it is stale (ADR 26). */
export const STALE_AFTER_PERIODS = 3

/** Whether a reading of `ts` is too old at `now` (both Unix ms) for a device that reports every `periodS`. */
export const isStale = (ts: number, periodS: number, now: number): boolean =>
  now - ts > STALE_AFTER_PERIODS * periodS * 1000
