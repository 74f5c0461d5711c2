import { z } from 'zod'

/** A head that a station's pump is told, from the one that was measured before, kPa. */
export const pumpMove = z.object({
  deviceId: z.number().int().positive(),
  fromKpa: z.number(),
  toKpa: z.number(),
  /** What it was to be brought back to, where its limits allow no head nearer to that than `toKpa`. */
  wantedKpa: z.number().optional(),
})
export type PumpMove = z.infer<typeof pumpMove>

/** Why a plan leaves the pump as it is, so that its head is only advised. */
export const pumpStay = z.enum([
  /** The station's controller takes no head. */
  'no-control',
  /** An order of a higher priority is held. */
  'held',
  'switched-off',
  'absent',
  /** It supplies more than what is balanced, or stands outside of it. */
  'shared',
  /** Another head would save nothing worth an order, or the round is a trim. */
  'enough',
])
export type PumpStay = z.infer<typeof pumpStay>
