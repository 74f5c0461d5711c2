import { z } from 'zod'
import { LEGAL_ROOM_C } from '../metrics.ts'

/** Room temperatures at which bands meet, °C, ascending. */
export const roomBandEdges = z
  .array(z.number().min(5).max(35))
  .min(1)
  .max(8)
  .refine((edges) => edges.every((edge, at) => at === 0 || edge > (edges[at - 1] ?? edge)), 'not ascending')

/** Part of the heating fee of a day that is refunded if the day's mean is below a temperature. */
export const refundStep = z.object({
  belowC: z.number().min(5).max(30),
  percent: z.number().min(0).max(100),
})
export type RefundStep = z.infer<typeof refundStep>

/** How a company judges its rooms. Ordinances differ by place, so nothing of it is fixed. */
export const roomRules = z.object({
  /** A room below this is cold, °C. */
  coldC: z.number().min(5).max(30),
  /** A room from this on is hot, °C. */
  hotC: z.number().min(10).max(35),
  edgesC: roomBandEdges,
  /** Hours of the plant's day that count, from the first (0 to 23) to before the last (1 to 24). */
  fromHour: z.number().int().min(0).max(23),
  toHour: z.number().int().min(1).max(24),
  refunds: z.array(refundStep).max(8),
  /** Heating fee of a season, yuan per m²; 0 if it is not stated. */
  yuanPerM2: z.number().min(0).max(1_000),
})
export type RoomRules = z.infer<typeof roomRules>

/** Rules of a company that has stated none: the limit of most ordinances, and bands around it. */
export const defaultRoomRules: RoomRules = {
  coldC: LEGAL_ROOM_C,
  hotC: 24,
  edgesC: [14, 16, 18, 20, 22, 24],
  fromHour: 0,
  toHour: 24,
  refunds: [
    { belowC: 18, percent: 20 },
    { belowC: 16, percent: 50 },
    { belowC: 14, percent: 100 },
  ],
  yuanPerM2: 0,
}

/** A band of room temperatures, from `fromC` (included) to `toC`. The outermost bands are open. */
export interface RoomBand {
  readonly fromC?: number
  readonly toC?: number
}

/** The bands between edges, the coldest first: one more than there are edges. */
export function listRoomBands(edgesC: readonly number[]): readonly RoomBand[] {
  return [...edgesC, undefined].map((toC, at) => {
    const fromC = edgesC[at - 1]
    return { ...(fromC === undefined ? {} : { fromC }), ...(toC === undefined ? {} : { toC }) }
  })
}

/** Position of the band that a room temperature is in. */
export function findRoomBand(roomC: number, edgesC: readonly number[]): number {
  const at = edgesC.findIndex((edge) => roomC < edge)
  return at < 0 ? edgesC.length : at
}
