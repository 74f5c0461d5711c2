import { z } from 'zod'
import { instant, version } from './entity.ts'
import { nodeKey } from './tree.ts'

/** Kinds of device. A valve is one motor valve at a unit's inlet; a station is the heat station's own controller. */
export const deviceKind = z.enum(['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator'])
export type DeviceKind = z.infer<typeof deviceKind>

/** What the caller may do with a device, decided on the server: command it, change it or take it away. */
export const ability = z.enum(['control', 'edit', 'remove'])
export type Ability = z.infer<typeof ability>

/** A retired device keeps its row and its history; it takes no commands and its readings do not count. */
export const deviceUse = z.enum(['in-use', 'retired'])
export type DeviceUse = z.infer<typeof deviceUse>

/** Openings a valve may be told to take, %. */
export const openingLimits = z.object({
  minPct: z.number().min(0).max(100),
  maxPct: z.number().min(0).max(100),
})
export type OpeningLimits = z.infer<typeof openingLimits>

/** One device of the registry, as the caller sees it. */
export const device = z.object({
  id: z.number().int().positive(),
  /** IMEI or serial; the name by which it speaks on the wire. */
  imei: z.string(),
  /** IMEI of its radio when it has its own link; may differ from the name it speaks by. */
  radioImei: z.string().optional(),
  /** Number printed on a heat meter. */
  meterNo: z.string().optional(),
  kind: deviceKind,
  name: z.string(),
  model: z.string(),
  node: nodeKey,
  /** Names of the node's ancestors and itself, from the project down, comma-joined. */
  nestaddr: z.string(),
  /** Serial of the concentrator it speaks through; absent when it has its own link. */
  concentrator: z.string().optional(),
  /** Number of that concentrator. */
  concentratorId: z.number().int().positive().optional(),
  /** How often it reports, s. Older than three periods is stale. */
  periodS: z.number().positive(),
  limits: openingLimits.optional(),
  /** The opening last asked of a valve by whatever means, %, and when. */
  lastOpenSet: z.object({ openingPct: z.number().min(0).max(100), at: instant }).optional(),
  description: z.string(),
  use: deviceUse,
  /** When it was retired. */
  retiredAt: instant.optional(),
  /** Number of the device that took its place. */
  replacedBy: z.number().int().positive().optional(),
  version,
  abilities: z.array(ability),
})
export type Device = z.infer<typeof device>

/** Newest values of one device. `metrics` holds a value by metric name; `ts` is the newest reading's instant. */
export const deviceState = z.object({
  deviceId: z.number().int().positive(),
  /** Instant of the newest reading, Unix ms UTC. */
  ts: z.number().int(),
  /** Quality bits of the newest reading (metrics.ts). */
  quality: z.number().int().nonnegative(),
  metrics: z.record(z.string(), z.number()),
  /**
   * Absent while the device speaks. `silent` has missed its turns; of `unknown` nobody can tell, for the concentrator
   * it speaks through is silent.
   */
  absence: z.enum(['silent', 'unknown']).optional(),
})
export type DeviceState = z.infer<typeof deviceState>

/** How many report periods a reading may be old before it is stale (protocols.md 4.2, presence). */
export const STALE_AFTER_PERIODS = 3

/** Whether a reading of `ts` is too old at `now` (both Unix ms) for a device that reports every `periodS`. */
export const isStale = (ts: number, periodS: number, now: number): boolean =>
  now - ts > STALE_AFTER_PERIODS * periodS * 1000
