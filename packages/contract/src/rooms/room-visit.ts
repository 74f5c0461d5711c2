import { z } from 'zod'
import { instant, version } from '../entity.ts'
import { nodeKey } from '../tree.ts'

/** Hours within which a company measures after a request (ordinances: 24 h). */
export const VISIT_WITHIN_H = 24

/** Conditions of a measurement that ordinances demand. */
export const visitCondition = z.enum([
  /** Doors and windows shut for 30 minutes. */
  'shut',
  /** Thermometer in the middle of the room. */
  'centre',
  /** Thermometer 1.4 m above the floor. */
  'height',
  /** No cover on the radiators. */
  'uncovered',
  /** No sun on the thermometer. */
  'shade',
  /** At a permitted hour of the day. */
  'hours',
])
export type VisitCondition = z.infer<typeof visitCondition>

const text = (max: number) => z.string().max(max)

/** What the resident reported. */
export const visitRequest = z.object({
  requestedAt: instant,
  resident: text(60),
  phone: text(30),
  complaint: text(500),
})

/** What was measured on site. */
export const visitResult = z.object({
  measuredAt: instant,
  /** Of the calibrated thermometer. */
  measuredC: z.number().min(-20).max(50),
  conditions: z.array(visitCondition).max(visitCondition.options.length),
  inspector: text(60),
  /** Whether the resident signed the sheet. */
  isSigned: z.boolean(),
  remark: text(500),
})
export type VisitResult = z.infer<typeof visitResult>

/** A complaint about a room and the visit that measures it. */
export const roomVisit = visitRequest.extend({
  visit: z.number().int().positive(),
  /** Room sensor of the home. */
  deviceId: z.number().int().positive(),
  node: nodeKey,
  nestaddr: z.string(),
  version,
  /** Reading of the room sensor at the time of the measurement, else of the request; absent without one. */
  sensorC: z.number().optional(),
  result: visitResult.optional(),
  createdBy: z.string(),
})
export type RoomVisit = z.infer<typeof roomVisit>
