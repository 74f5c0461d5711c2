import { z } from 'zod'

/** A change of the head setpoint of a station's pump, from the measured head, kPa. */
export const pumpMove = z.object({
  deviceId: z.number().int().positive(),
  fromKpa: z.number(),
  toKpa: z.number(),
  /** Head before the campaign; set in a rollback if the limits allow nothing closer to it than `toKpa`. */
  wantedKpa: z.number().optional(),
})
export type PumpMove = z.infer<typeof pumpMove>

/** Why a plan does not change the head of the pump but only advises one. */
export const pumpStay = z.enum([
  /** The station's controller does not accept a head setpoint. */
  'no-control',
  /** Held with a higher priority. */
  'held',
  'switched-off',
  'absent',
  /** It also supplies parts outside the balanced node. */
  'shared',
  /** A different head would save too little, or the round is a trim. */
  'enough',
  /** Requested: the balance leaves the pump alone. */
  'chosen',
])

/** Choice to leave the head of the pump alone. By default a balance of a whole loop sets it. */
export const pumpChoice = z.literal('keep')
export type PumpStay = z.infer<typeof pumpStay>
