import { z } from 'zod'

/**
 * Kinds of waves: valves that open, valves that close, the pump's head, closed valves of starved buildings that the
 * campaign takes back by itself, and a rollback.
 */
export const waveKind = z.enum(['open', 'close', 'pump', 'take-back', 'back'])

/** The wave that gave a command, all numbers from 1. It is stored as JSON in the reason of the command and of its hold. */
export const campaignOrder = z.strictObject({
  campaign: z.number().int().positive(),
  round: z.number().int().positive(),
  wave: z.number().int().positive(),
  kind: waveKind,
})
export type CampaignOrder = z.infer<typeof campaignOrder>

export const toOrderReason = ({ campaign, round, wave, kind }: CampaignOrder): string =>
  JSON.stringify({ campaign, round, wave, kind })

/** The wave that a stored reason names; undefined if a person wrote the reason. */
export function findCampaignOrder(reason: string): CampaignOrder | undefined {
  if (!reason.startsWith('{')) return undefined
  try {
    return campaignOrder.safeParse(JSON.parse(reason)).data
  } catch {
    return undefined
  }
}
