import { pumpMove } from '@isotherm/contract/balancing/balance-pump'
import {
  balanceIndices,
  campaignDetail,
  campaignMember,
  flowKnowledge,
  settleMs,
} from '@isotherm/contract/balancing/campaign'
import { z } from 'zod'
import type { RoundPlan, Verification } from '../../plan/planner.ts'

/** Increased whenever older stored plans can no longer be read. */
export const PLAN_FORMAT = 2

const detail = campaignDetail.shape
const station = detail.station.shape

const plannedMoves = z.array(z.object({ deviceId: z.number(), fromPct: z.number(), toPct: z.number() }))

const storedPlan = z.object({
  plannedAt: z.number(),
  flows: flowKnowledge,
  settleMs,
  lateMs: settleMs.optional(),
  roomRestMs: settleMs.optional(),
  common: z.number().optional(),
  station: detail.station.omit({ after: true }),
  indices: detail.indices.omit({ after: true }),
  members: z.array(campaignMember),
  steps: z.array(
    z.object({
      kind: z.enum(['open', 'close', 'pump']),
      moves: plannedMoves,
      pump: pumpMove.optional(),
      minFlowM3H: z.array(z.tuple([z.number(), z.number()])),
      minHeadKpa: z.number(),
      maxHeadKpa: z.number(),
    }),
  ),
  maxUnansweredShare: z.number(),
  coldRooms: z.number(),
  memory: z.unknown(),
})

const storedVerification = z.object({
  station: station.before,
  indices: balanceIndices,
  members: z.array(campaignMember.pick({ deviceId: true, after: true, verdict: true })),
  memory: z.unknown(),
})

/** A plan as JSON. Throws for a number that JSON cannot represent. */
export const toPlanJson = (plan: RoundPlan): string => JSON.stringify(storedPlan.parse(plan))

/** A stored plan in the format of another server version. */
export class UnreadablePlan extends Error {
  override readonly name = 'UnreadablePlan'
}

/** Throws UnreadablePlan. */
export function parsePlan(format: number, json: unknown): RoundPlan {
  if (format !== PLAN_FORMAT)
    throw new UnreadablePlan(`a plan of format ${format} cannot be read, only ${PLAN_FORMAT}`)
  const { memory, ...plan } = storedPlan.parse(json)
  return { ...plan, memory }
}

export const toVerificationJson = (verification: Verification): string =>
  JSON.stringify(storedVerification.parse(verification))

export function parseVerification(json: unknown): Verification {
  const { memory, ...verification } = storedVerification.parse(json)
  return { ...verification, memory }
}
