import { z } from 'zod'

export const celsius = z.number().optional()
export const flowM3H = z.number().optional()

/**
 * Whether a room temperature comes from sensors in the rooms, or is estimated from emitter, envelope and the rooms of
 * others. The two are never averaged.
 */
export const roomSource = z.enum(['measured', 'estimated'])
export type RoomSource = z.infer<typeof roomSource>

/** Measured or predicted values at one valve: opening in %, flow in m³/h, temperatures in °C. */
export const memberPoint = z.object({
  openingPct: z.number(),
  flowM3H,
  supplyC: celsius,
  returnC: celsius,
  /** Mean of its rooms; a prediction starts from a measured or an estimated one. */
  roomC: celsius,
  /** Source of `roomC`; absent without it, and in campaigns of earlier versions. */
  roomSource: roomSource.optional(),
  /** Number of its measured rooms, and of those below 18 °C. */
  rooms: z.number().int().nonnegative().optional(),
  coldRooms: z.number().int().nonnegative().optional(),
})

/** Prediction for one valve, with its uncertainty. */
export const expectedPoint = memberPoint.extend({
  /** Room temperature in the steady state that is reached with 90 % confidence (P10), °C. */
  roomLowC: celsius,
  /** P10 and P90 of the return temperature in the weather of the plan, °C. */
  returnLowC: celsius,
  returnHighC: celsius,
})
