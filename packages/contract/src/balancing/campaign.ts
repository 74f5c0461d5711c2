import { z } from 'zod'
import { instant, version } from '../entity.ts'
import { errorParams } from '../errors.ts'
import { nodeKey } from '../tree.ts'
import { roundMethod } from './balance-method.ts'
import { pumpMove, pumpStay } from './balance-pump.ts'
import { waveKind } from './campaign-order.ts'
import { celsius, expectedPoint, flowM3H, memberPoint } from './member-point.ts'
import { targetLimit } from './target-limit.ts'

/** Heat for each m², W/m², and flow for each m², kg/(h·m²). */
export const heatWM2 = z.number().min(1).max(200)
export const flowKgHM2 = z.number().min(0.2).max(20)
export const temperatureTarget = z.enum(['return', 'mean', 'room'])

/** What a group of buildings is held to: a share of its full flow, or rooms at a temperature, °C. */
export const slotLevel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flow'), share: z.number().min(0).max(1.5) }),
  z.object({ kind: z.literal('room'), roomC: z.number().min(5).max(26) }),
])
export type SlotLevel = z.infer<typeof slotLevel>
/** Whatever its level, no group gets less flow than holds its rooms at this, °C. */
export const frostC = z.number().min(5).max(16)

const temperatureMode = z.object({ kind: z.literal('temperature'), target: temperatureTarget })
const otherModes = [
  z.object({ kind: z.literal('energy'), heatWM2 }),
  z.object({
    kind: z.literal('flow'),
    /** Without it all take what the station has now, by area. */
    flowKgHM2: flowKgHM2.optional(),
  }),
] as const

/**
 * What a person asks a balance to make equal (docs/domain/formulas.md): the return, the mean of supply and return, or the
 * rooms, each at the present total flow; heat for each m²; or flow for each m². Returns by the model, or by rounds of the
 * proportional loop.
 */
export const askedMode = z.discriminatedUnion('kind', [
  temperatureMode
    .extend({ method: roundMethod.extract(['proportional']).optional() })
    .refine(({ method, target }) => method === undefined || target === 'return', { path: ['method'] }),
  ...otherModes,
])
export type AskedMode = z.infer<typeof askedMode>

/**
 * That, or what only a strategy asks for: a slow trim, or the levels of one slot of a sequence. Who is in no group has full flow.
 */
export const balanceMode = z.discriminatedUnion('kind', [
  temperatureMode.extend({ method: roundMethod.optional() }),
  ...otherModes,
  z.object({
    kind: z.literal('sequence'),
    /** Flow of share 1; without it as valves and pipes are laid out. */
    flowKgHM2: flowKgHM2.optional(),
    frostC,
    groups: z.array(z.object({ name: z.string(), nodes: z.array(nodeKey), level: slotLevel })),
  }),
])
export type BalanceMode = z.infer<typeof balanceMode>

/**
 * States of a campaign, with the total table of transitions in docs/specs/campaign.md. Only draft, accepted, discarded and
 * rolled-back leave the loop free for another one.
 */
export const campaignState = z.enum([
  'draft',
  'executing',
  'paused',
  'settling',
  'verified',
  'aborted',
  'rolling-back',
  'accepted',
  'rolled-back',
  'discarded',
])
export type CampaignState = z.infer<typeof campaignState>

/** What can happen to a campaign; docs/specs/campaign.md says what each means. */
export const campaignEvent = z.enum([
  'replan',
  'approve',
  'discard',
  'pause',
  'resume',
  'wave-given',
  'wave-ended',
  'settle',
  'verified',
  'abort',
  'trim',
  'accept',
  'rollback',
  'returned',
])
export type CampaignEvent = z.infer<typeof campaignEvent>

/** What its history may say: that, and how it began. */
export const campaignHistoryEvent = z.enum(['plan', ...campaignEvent.options])
export type CampaignHistoryEvent = z.infer<typeof campaignHistoryEvent>

/** What the caller may do with a campaign now. */
export const campaignAbility = z.enum([
  'replan',
  'approve',
  'discard',
  'pause',
  'resume',
  'trim',
  'accept',
  'rollback',
])
export type CampaignAbility = z.infer<typeof campaignAbility>

/** Why a valve is not moved by a campaign, though it is below its node. */
export const memberExclusion = z.enum([
  /** An order of a higher priority is held. */
  'held',
  'switched-off',
  /** It, or the concentrator it speaks through, is not heard. */
  'absent',
  /** Its temperatures are missing or not to be believed. */
  'not-measured',
  /** It did not follow an earlier order. */
  'stuck',
])
export type MemberExclusion = z.infer<typeof memberExclusion>

/** How a move was judged by the flows before and after it (packages/balancing/src/moves/verify.ts). */
export const moveVerdict = z.enum(['accepted', 'learn', 'stuck', 'slipping', 'too-small', 'not-measured'])
export type MoveVerdict = z.infer<typeof moveVerdict>

/** One valve of a campaign's loop. */
export const campaignMember = z.object({
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  node: nodeKey,
  nestaddr: z.string(),
  /** Heated floor behind it, m²; where the registry does not know it, as much as the others have. */
  areaM2: z.number(),
  /** How far its return is meant to be from that of radiators, K; absent where it is not. */
  offsetK: z.number().optional(),
  /** Absent for one that may be moved. */
  excluded: memberExclusion.optional(),
  before: memberPoint,
  /** As predicted with the plan carried out; its opening is the order. */
  expected: expectedPoint,
  targetFlowM3H: flowM3H,
  limit: targetLimit.optional(),
  /** As measured after the last round settled. */
  after: memberPoint.optional(),
  verdict: moveVerdict.optional(),
})
export type CampaignMember = z.infer<typeof campaignMember>

/** The station, before or after: kPa, m³/h, kW, °C. */
const stationPoint = z.object({
  headKpa: z.number().optional(),
  flowM3H,
  pumpKw: z.number().optional(),
  supplyC: celsius,
  returnC: celsius,
})

/** Balance indices by name (packages/balancing/src/indices/index-meanings.ts), in their units; shares are 0 to 1. */
export const balanceIndices = z.record(z.string(), z.number())
export type BalanceIndices = z.infer<typeof balanceIndices>

/** Moves given together, or a head. */
export const campaignStep = z.object({
  /** From 1; a trim is another round, and so is the way back. */
  round: z.number().int().positive(),
  kind: waveKind,
  valves: z.number().int().nonnegative(),
  /** Instead of valves; on the way back, too. */
  pump: pumpMove.optional(),
  state: z.enum(['waiting', 'given', 'done']),
  /** Batch of commands, once it was given. */
  batchId: z.string().optional(),
  /** Commands of the batch that ended otherwise than confirmed. */
  unanswered: z.number().int().nonnegative(),
})
export type CampaignStep = z.infer<typeof campaignStep>

/** Whether a wave came to its end and nothing of it was given: on the way back what takes no order is left as it is. */
export const isStepLeft = ({ state, batchId }: Pick<CampaignStep, 'state' | 'batchId'>): boolean =>
  state === 'done' && batchId === undefined

/** Why a campaign stopped by itself, with what was seen. */
export const campaignAbort = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unanswered'), share: z.number() }),
  z.object({ kind: z.literal('head-outside'), headKpa: z.number() }),
  /** Buildings below 70 % of the flow that was predicted. */
  z.object({ kind: z.literal('starved'), deviceIds: z.array(z.number().int().positive()) }),
  /** More rooms below the legal limit than before. */
  z.object({ kind: z.literal('cold-rooms'), before: z.number().int(), now: z.number().int() }),
  /** Nothing believable was measured while a step settled. */
  z.object({ kind: z.literal('not-measured') }),
  /** Commands refused the order, or who approved it may give it no more: the code of the error and what fills its text. */
  z.object({
    kind: z.literal('refused'),
    code: z.string(),
    params: errorParams.optional(),
  }),
])
export type CampaignAbort = z.infer<typeof campaignAbort>

/** A balance of one loop, from draft to its end, as lists show it. */
export const campaign = z.object({
  id: z.number().int().positive(),
  version,
  /** The node whose valves are moved, and the station whose loop they are in. */
  node: nodeKey,
  nodeName: z.string(),
  nestaddr: z.string(),
  stationName: z.string(),
  mode: balanceMode,
  state: campaignState,
  round: z.number().int().positive(),
  /** Valves below the node, how many of them are moved by the present plan, and how many are left out. */
  valves: z.number().int().nonnegative(),
  moves: z.number().int().nonnegative(),
  excluded: z.number().int().nonnegative(),
  /** Valves of the present round whose command has ended. */
  moved: z.number().int().nonnegative(),
  abort: campaignAbort.optional(),
  /** The strategy that began it, if none of people did. */
  strategy: z.number().int().positive().optional(),
  indices: z.object({
    before: balanceIndices,
    expected: balanceIndices,
    /**
     * As bad as it may come in nine cases of ten: P90 of sigmaReturnK and under18 and P10 of withinOneK, of what records,
     * meters and motors leave open. Absent where neither returns nor rooms are known.
     */
    worst: balanceIndices.optional(),
    after: balanceIndices.optional(),
  }),
  createdBy: z.string(),
  createdAt: instant,
  approvedBy: z.string().optional(),
  approvedAt: instant.optional(),
  /** Instant from which on it is judged, while it settles. */
  settledAt: instant.optional(),
  updatedAt: instant,
  endedAt: instant.optional(),
  abilities: z.array(campaignAbility),
})
export type Campaign = z.infer<typeof campaign>

/** Whether flows are measured at the valves, or follow from temperatures. */
export const flowKnowledge = z.enum(['metered', 'temperature-only'])
export type FlowKnowledge = z.infer<typeof flowKnowledge>
/** Time a round is given to settle, ms of the wire. */
export const settleMs = z.number().int().positive()

/** A campaign with all that its page shows. */
export const campaignDetail = campaign.extend({
  /** When what the plan is made of was read. */
  plannedAt: instant,
  /** Both absent where only another version of the server reads the plan: nothing is told then that only the plan knows. */
  flows: flowKnowledge.optional(),
  settleMs: settleMs.optional(),
  station: z.object({
    before: stationPoint,
    expected: stationPoint,
    after: stationPoint.optional(),
    /** The head that the present plan sets. */
    pump: pumpMove.optional(),
    /** Why it sets none. */
    pumpStays: pumpStay.optional(),
    /** Head at which the valve of the worst loop would stand 95 % open, whoever sets it. */
    advisedHeadKpa: z.number().optional(),
  }),
  /** Common value of the targets: °C, or the factor on flows by area. */
  common: z.number().optional(),
  members: z.array(campaignMember),
  steps: z.array(campaignStep),
  /** What happened, oldest first, and who caused it, if a person did. */
  history: z.array(z.object({ at: instant, event: campaignHistoryEvent, by: z.string().optional() })),
})
export type CampaignDetail = z.infer<typeof campaignDetail>
