import { z } from 'zod'
import { instant, version } from '../entity.ts'
import { errorParams } from '../errors.ts'
import { nodeKey } from '../tree.ts'
import { roundMethod } from './balance-method.ts'
import { pumpChoice, pumpMove, pumpStay } from './balance-pump.ts'
import { waveKind } from './campaign-order.ts'
import { celsius, expectedPoint, flowM3H, memberPoint } from './member-point.ts'
import { targetLimit } from './target-limit.ts'

/** Heat load per m², W/m², and flow per m², kg/(h·m²). */
export const heatWM2 = z.number().min(1).max(200)
export const flowKgHM2 = z.number().min(0.2).max(20)
export const temperatureTarget = z.enum(['return', 'mean', 'room'])

/** Level of a group of buildings: a share of its full flow, or a room temperature, °C. */
export const slotLevel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flow'), share: z.number().min(0).max(1.5) }),
  z.object({ kind: z.literal('room'), roomC: z.number().min(5).max(26) }),
])
export type SlotLevel = z.infer<typeof slotLevel>
/** Frost protection, °C: at any level a group gets at least the flow that keeps its rooms at this temperature. */
export const frostC = z.number().min(5).max(16)

/** Common to all modes of a user. */
const ofUser = { pump: pumpChoice.optional() }
const temperatureMode = z.object({ kind: z.literal('temperature'), target: temperatureTarget, ...ofUser })
const otherModes = [
  z.object({ kind: z.literal('energy'), heatWM2, ...ofUser }),
  z.object({
    kind: z.literal('flow'),
    ...ofUser,
    /** By default the present flow of the station, distributed by area. */
    flowKgHM2: flowKgHM2.optional(),
  }),
] as const

/**
 * What a user can select for balancing (docs/domain/formulas.md): equal return temperatures, equal means of supply and
 * return, or equal room temperatures, each at the present total flow; heat per m²; or flow per m². Return temperatures
 * are balanced by the model or by rounds of the proportional loop.
 */
export const requestedMode = z.discriminatedUnion('kind', [
  temperatureMode
    .extend({ method: roundMethod.extract(['proportional']).optional() })
    .refine(({ method, target }) => method === undefined || target === 'return', { path: ['method'] }),
  ...otherModes,
])
export type RequestedMode = z.infer<typeof requestedMode>

/**
 * The modes of a user, and those that only a strategy uses: a slow trim, and the levels of one slot of a sequence. Valves
 * outside all groups get full flow.
 */
export const balanceMode = z.discriminatedUnion('kind', [
  temperatureMode.extend({ method: roundMethod.optional() }),
  ...otherModes,
  z.object({
    kind: z.literal('sequence'),
    /** Flow of share 1; by default the design flow of valves and pipes. */
    flowKgHM2: flowKgHM2.optional(),
    frostC,
    groups: z.array(z.object({ name: z.string(), nodes: z.array(nodeKey), level: slotLevel })),
  }),
])
export type BalanceMode = z.infer<typeof balanceMode>

/**
 * States of a campaign, with the total table of transitions in docs/specs/campaign.md. In the states draft,
 * accepted, discarded and rolled-back another campaign can use the loop.
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

/** Events of a campaign (docs/specs/campaign.md). */
export const campaignEvent = z.enum([
  'replan',
  'approve',
  'discard',
  'pause',
  'resume',
  'wave-given',
  'wave-ended',
  'take-back',
  'settle',
  'verified',
  'abort',
  'trim',
  'accept',
  'rollback',
  'returned',
])
export type CampaignEvent = z.infer<typeof campaignEvent>

/** Events in its history: those above and its creation. */
export const campaignHistoryEvent = z.enum(['plan', ...campaignEvent.options])
export type CampaignHistoryEvent = z.infer<typeof campaignHistoryEvent>

/** Events that the caller can trigger in the present state. */
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

/** Why a campaign does not move a valve below its node. */
export const memberExclusion = z.enum([
  /** Held with a higher priority. */
  'held',
  'switched-off',
  /** The device, or its concentrator, is silent. */
  'absent',
  /** Its temperatures are missing or suspect. */
  'not-measured',
  /** It did not reach an earlier target: in this campaign, or in one of the loop that aborted within the last 14 days. */
  'stuck',
  /** It reports 100 − p when p % is ordered: wired or configured the wrong way round (packages/balancing/src/moves/judge-direction.ts). */
  'inverted',
  /** Its building starved in a campaign of the loop that aborted within the last 14 days. */
  'starved-before',
  /** It did not confirm its command in a campaign of the loop that aborted within the last 14 days. */
  'unanswered-before',
])
export type MemberExclusion = z.infer<typeof memberExclusion>

/**
 * Verdict on a move from the flows before and after it (packages/balancing/src/moves/verify.ts); inverted from the answers
 * of the valve.
 */
export const moveVerdict = z.enum([
  'accepted',
  'learn',
  'stuck',
  'slipping',
  'inverted',
  'too-small',
  'not-measured',
])
export type MoveVerdict = z.infer<typeof moveVerdict>

/** One valve of a campaign's loop. */
export const campaignMember = z.object({
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  node: nodeKey,
  nestaddr: z.string(),
  /** Heated area behind it, m²; an estimate if the registry does not have it. */
  areaM2: z.number(),
  /** Where an estimated area comes from: the heat of the consumer, its flow, or its share of the station. */
  areaFrom: z.enum(['heat', 'flow', 'share']).optional(),
  /** Planned difference of its return temperature from that of radiators, K; absent if there is none. */
  offsetK: z.number().optional(),
  /** Absent if it can be moved. */
  excluded: memberExclusion.optional(),
  /** Its meter shows no flow although its return is warm: the flow counts as not measured. */
  meter: z.literal('dead').optional(),
  before: memberPoint,
  /** Prediction for the executed plan; its opening is the target. */
  expected: expectedPoint,
  targetFlowM3H: flowM3H,
  limit: targetLimit.optional(),
  /** Measured after the last round has settled. */
  after: memberPoint.optional(),
  verdict: moveVerdict.optional(),
})
export type CampaignMember = z.infer<typeof campaignMember>

/** State of the station: kPa, m³/h, kW, °C; with the outdoor temperature at that time. */
const stationPoint = z.object({
  headKpa: z.number().optional(),
  flowM3H,
  pumpKw: z.number().optional(),
  supplyC: celsius,
  returnC: celsius,
  outdoorC: celsius,
})

/**
 * Loss of the station's exchanger and strainer between its pressure taps at the design flow, kPa, with its standard
 * deviation: identified by pressures at consumers or by the power of the pump, or assumed.
 */
export const exchangerLoss = z.object({
  kpa: z.number(),
  errorKpa: z.number(),
  from: z.enum(['pressures', 'pump', 'assumed']),
})

/** Balance indices by name (packages/balancing/src/indices/index-meanings.ts), in their units; shares are 0 to 1. */
export const balanceIndices = z.record(z.string(), z.number())
export type BalanceIndices = z.infer<typeof balanceIndices>

/** A wave: valves that move together, or a head of the pump. */
export const campaignStep = z.object({
  /** From 1. A trim is a further round, and so is the rollback. */
  round: z.number().int().positive(),
  kind: waveKind,
  valves: z.number().int().nonnegative(),
  /** Instead of valves; in a rollback beside them. */
  pump: pumpMove.optional(),
  /** `dropped`: not sent, because it relied on a closing that was taken back. */
  state: z.enum(['waiting', 'given', 'done', 'dropped']),
  /** Batch of commands, once it was sent. */
  batchId: z.string().optional(),
  /** Number of commands of the batch that ended without confirmation. */
  unanswered: z.number().int().nonnegative(),
})
export type CampaignStep = z.infer<typeof campaignStep>

/** Whether a step ended without commands, because no device of a rollback accepted one. */
export const isStepLeft = ({ state, batchId }: Pick<CampaignStep, 'state' | 'batchId'>): boolean =>
  state === 'done' && batchId === undefined

/** Why a campaign aborted automatically, with the observed figures. `findAbort` of the balancing package has the rules. */
export const campaignAbort = z.discriminatedUnion('kind', [
  /**
   * Too many commands of a round ended without a confirmation: more than one, and a larger share than the plan allows
   * (3 %). Or too many valves answered and did not reach their opening: more than two, and more than a quarter. Or
   * the command of the pump has no confirmation. `share`: share of all commands without a confirmation, 0 to 1.
   */
  z.object({ kind: z.literal('unanswered'), share: z.number() }),
  /** The head of the station is outside its predicted range. */
  z.object({ kind: z.literal('head-outside'), headKpa: z.number() }),
  /** Buildings with less than 70 % of the predicted flow, and less than before the round by more than their meter's error. */
  z.object({ kind: z.literal('starved'), deviceIds: z.array(z.number().int().positive()) }),
  /** More rooms are below the legal limit than when the round was planned, beyond the usual variation. */
  z.object({ kind: z.literal('cold-rooms'), before: z.number().int(), now: z.number().int() }),
  /** A wave or a round has too few readings after the settling time. */
  z.object({ kind: z.literal('not-measured') }),
  /**
   * A command was refused, with the code and parameters of the error: a wave is refused, or a later wave would be,
   * checked before the first wave is sent; the account that approved the campaign lost its permissions; another user
   * commanded a valve that the round still has to move, or its pump (`campaign.outdated`); another campaign moved the
   * loop (`campaign.overtaken`); or the plan has the format of another server version (`entity.stale`).
   */
  z.object({
    kind: z.literal('refused'),
    code: z.string(),
    params: errorParams.optional(),
  }),
])
export type CampaignAbort = z.infer<typeof campaignAbort>

/** Balancing of one loop, from draft to its end, as shown in lists. */
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
  /** Number of valves below the node, of those that the present plan moves, and of excluded ones. */
  valves: z.number().int().nonnegative(),
  moves: z.number().int().nonnegative(),
  excluded: z.number().int().nonnegative(),
  /** Number of valves of the present round whose command has ended. */
  moved: z.number().int().nonnegative(),
  /**
   * Moves ordered in the whole campaign so far: all waves of all rounds with their test moves, trims, what was taken back,
   * and the rollback. A valve that moves twice counts twice.
   */
  movesMade: z.number().int().nonnegative(),
  abort: campaignAbort.optional(),
  /** The strategy that started it; absent if a user did. */
  strategy: z.number().int().positive().optional(),
  indices: z.object({
    before: balanceIndices,
    /** sigmaReturnK, sigmaReturnPerDrop and withinOneK are medians of the samples of the forecast. */
    expected: balanceIndices,
    /**
     * Bounds with 90 % confidence, given the uncertainty of records, instruments, motors and weather. `best`: P10 of
     * sigmaReturnK, P90 of withinOneK. `worst`: P90 of sigmaReturnK and under18, P10 of withinOneK. Absent if neither
     * returns nor rooms are known; `best` is absent in plans of earlier versions too.
     */
    best: balanceIndices.optional(),
    worst: balanceIndices.optional(),
    after: balanceIndices.optional(),
  }),
  createdBy: z.string(),
  createdAt: instant,
  approvedBy: z.string().optional(),
  approvedAt: instant.optional(),
  /** While it settles: when the settling time ends. */
  settledAt: instant.optional(),
  /** While it is verified, with a target of room temperatures: when rooms are at rest. A trim is refused before. */
  trimFrom: instant.optional(),
  updatedAt: instant,
  endedAt: instant.optional(),
  abilities: z.array(campaignAbility),
})
export type Campaign = z.infer<typeof campaign>

/** Whether flows are measured at the valves or estimated from temperatures. */
export const flowKnowledge = z.enum(['metered', 'temperature-only'])
export type FlowKnowledge = z.infer<typeof flowKnowledge>
/** Settling time of a round, ms. */
export const settleMs = z.number().int().positive()

/** A campaign with the details that its page shows. */
export const campaignDetail = campaign.extend({
  /** When the input of the plan was read. */
  plannedAt: instant,
  /** Both absent if the stored plan has the format of another server version and cannot be read. */
  flows: flowKnowledge.optional(),
  settleMs: settleMs.optional(),
  station: z.object({
    before: stationPoint,
    expected: stationPoint,
    after: stationPoint.optional(),
    /** Head setpoint of the present plan. */
    pump: pumpMove.optional(),
    /** Why the plan does not change the head. */
    pumpStays: pumpStay.optional(),
    /** Head at which the valve of the index circuit would be 95 % open. */
    advisedHeadKpa: z.number().optional(),
    /** Absent in plans of earlier versions. */
    exchanger: exchangerLoss.optional(),
  }),
  /** Common value of all targets: °C, or the factor on flows per area. */
  common: z.number().optional(),
  members: z.array(campaignMember),
  steps: z.array(campaignStep),
  /** Events, oldest first; `by`: the user that caused it, if any. */
  history: z.array(z.object({ at: instant, event: campaignHistoryEvent, by: z.string().optional() })),
})
export type CampaignDetail = z.infer<typeof campaignDetail>
