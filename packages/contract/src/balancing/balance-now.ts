import { z } from 'zod'
import { instant } from '../entity.ts'
import { nodeKey } from '../tree.ts'
import { balanceIndices, campaignMember, memberExclusion } from './campaign.ts'
import { memberPoint } from './member-point.ts'

/** A station's balance now. */
export const balanceNow = z.object({
  node: nodeKey,
  stationName: z.string(),
  /** Its controller, for who is granted it. */
  stationDeviceId: z.number().int().positive().optional(),
  /** Newest reading it is made of. */
  at: instant.optional(),
  indices: balanceIndices,
  /** Mean return temperature of the loop by area, °C. */
  meanReturnC: z.number().optional(),
  valves: z.array(
    campaignMember
      .pick({ deviceId: true, deviceName: true, node: true, nestaddr: true, areaM2: true })
      .extend({
        ...memberPoint.shape,
        openingPct: z.number().optional(),
        /** Its return temperature less what it is meant to be, beside the loop's mean of that, K. */
        deviationK: z.number().optional(),
        excluded: memberExclusion.optional(),
      }),
  ),
})
export type BalanceNow = z.infer<typeof balanceNow>

/** Spread of return temperatures from what each is meant to be, over time. */
export const balanceTrend = z.object({
  points: z.array(
    z.object({
      at: instant,
      sigmaReturnK: z.number(),
      meanReturnC: z.number(),
      withinOneK: z.number(),
      /** Valves that were measured. */
      valves: z.number().int(),
    }),
  ),
})
export type BalanceTrend = z.infer<typeof balanceTrend>
