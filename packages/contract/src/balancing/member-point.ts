import { z } from 'zod'

export const celsius = z.number().optional()
export const flowM3H = z.number().optional()

/** What was or is to be measured at one valve: openings in %, flows in m³/h, temperatures in °C. */
export const memberPoint = z.object({
  openingPct: z.number(),
  flowM3H,
  supplyC: celsius,
  returnC: celsius,
  /** Mean of the rooms behind it, measured or estimated. */
  roomC: celsius,
  /** Rooms behind it that are measured, and how many of them are below 18 °C. */
  rooms: z.number().int().nonnegative().optional(),
  coldRooms: z.number().int().nonnegative().optional(),
})

/** What is expected of one valve, and how far that may miss. */
export const expectedPoint = memberPoint.extend({
  /** So warm are its rooms once at rest in nine cases of ten (P10), °C. */
  roomLowC: celsius,
  /** Between these the return lies in eight cases of ten (P10 and P90) in the weather of the plan, °C. */
  returnLowC: celsius,
  returnHighC: celsius,
})
