import { z } from 'zod'
import { instant } from '../entity.ts'
import { nodeKey } from '../tree.ts'
import { balanceIndices, campaignMember, memberExclusion } from './campaign.ts'
import { memberPoint } from './member-point.ts'

/** Current balance of a station's loop. */
export const balanceNow = z.object({
  node: nodeKey,
  stationName: z.string(),
  /** Its controller; only if the caller has access to it. */
  stationDeviceId: z.number().int().positive().optional(),
  /** Time of the newest reading used. */
  at: instant.optional(),
  indices: balanceIndices,
  /** Mean return temperature of the loop, weighted by area, °C. */
  meanReturnC: z.number().optional(),
  valves: z.array(
    campaignMember
      .pick({ deviceId: true, deviceName: true, node: true, nestaddr: true, areaM2: true })
      .extend({
        ...memberPoint.shape,
        openingPct: z.number().optional(),
        /** Deviation of its return temperature from its target, relative to the mean deviation of the loop, K. */
        deviationK: z.number().optional(),
        excluded: memberExclusion.optional(),
      }),
  ),
})
export type BalanceNow = z.infer<typeof balanceNow>

/** Deviation of return temperatures from their targets over time. */
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
