import { z } from 'zod'
import { givenName, instant, storedName, version } from '../entity.ts'
import { errorParams } from '../errors.ts'
import { refersTo } from '../refs.ts'
import { nodeKey } from '../tree.ts'
import { balanceKind } from './balance-kind.ts'
import { balanceMethod } from './balance-method.ts'
import { pumpChoice, pumpStay } from './balance-pump.ts'
import {
  balanceIndices,
  campaignAbort,
  campaignDetail,
  campaignMember,
  flowKgHM2,
  flowKnowledge,
  frostC,
  heatWM2,
  settleMs,
  slotLevel,
  temperatureTarget,
} from './campaign.ts'

/** Minutes of a local day; a whole day ends at 1440. */
const fromMinute = z.number().int().min(0).max(1_425)
const toMinute = z.number().int().min(15).max(1_440)

/** Local hours in which a strategy may start a campaign. If the end is before the start, the span includes midnight. */
const allowedHours = z
  .object({ fromMinute, toMinute })
  .refine((hours) => hours.fromMinute !== hours.toMinute, { path: ['toMinute'] })

/** How often a loop is checked, when, and what happens if it is outside its dead band. */
const checks = {
  everyHours: z.number().min(1).max(168),
  /** Number of further rounds while it is still outside. */
  trims: z.number().int().min(0).max(3),
  /** By default at any hour. */
  hours: allowedHours.optional(),
  /** Whether its campaigns leave the head of the pump alone. */
  pump: pumpChoice.optional(),
}
/** How far an energy strategy lowers the supply temperature of its station while measured rooms allow it. */
export const supplyRules = z.object({
  /** Temperature that 95 % of the measured rooms must have, °C. */
  comfortC: z.number().min(16).max(26),
  /** A room counts as cold below the legal minimum plus this, K. */
  coldMarginK: z.number().min(0).max(3),
  /** Largest share of cold rooms. */
  maxColdShare: z.number().min(0).max(0.5),
  /** Change of the offset by one step down, K. A step up is twice as large. */
  lowerK: z.number().min(0.5).max(1),
  /** Smallest share of the loop's valves with a measured room. With fewer, the original offset returns. */
  minMeasuredShare: z.number().min(0.1).max(1),
  /** Lowest head of the pump as a share of the one before the first step; by default the strategy leaves the pump alone. */
  minHeadShare: z.number().min(0.5).max(1).optional(),
})
export type SupplyRules = z.infer<typeof supplyRules>

/** Dead band as a share of the target. */
const startAboveShare = z.number().min(0.01).max(1)

/** Heat load per m² at an outdoor temperature, °C. The line through two points gives the target in any weather. */
const heatPoint = z.object({ outdoorC: z.number().min(-50).max(30), heatWM2 })

/** Time slot of a weekday (0 is Monday) in local time, and its level. */
export const weekSlot = z
  .object({ day: z.number().int().min(0).max(6), fromMinute, toMinute, level: slotLevel })
  .refine((slot) => slot.fromMinute < slot.toMinute, { path: ['toMinute'] })
export type WeekSlot = z.infer<typeof weekSlot>

/** Whether the slots of a timetable do not overlap. */
export const areApart = (slots: readonly WeekSlot[]): boolean =>
  slots
    .toSorted((one, other) => one.day - other.day || one.fromMinute - other.fromMinute)
    .every((slot, index, sorted) => {
      const next = sorted[index + 1]
      return next === undefined || next.day !== slot.day || next.fromMinute >= slot.toMinute
    })

/** Starts a slot with more heat earlier, so that rooms are warm in time: t = τ·ln((T∞ − T0)/(T∞ − T)) (docs/domain/formulas.md). */
const preheat = z
  .object({
    /** τ of the buildings; by default identified from their rooms, or a usual value. */
    timeConstantH: z.number().min(1).max(400).optional(),
    /** T: target room temperature at the start of the slot, °C. */
    wantedC: z.number().min(5).max(26),
    /** T∞: room temperature that the level of the slot would reach in the end, °C. */
    boostedC: z.number().min(6).max(40),
    /** Longest preheating. */
    maxHours: z.number().min(0.25).max(72),
  })
  .refine((given) => given.boostedC > given.wantedC, { path: ['boostedC'] })

/** Buildings that share a timetable. */
export const sequenceGroup = z.object({
  name: givenName,
  nodes: z.array(refersTo('node', nodeKey)).min(1).max(500),
  /** Level at all other times. */
  base: slotLevel,
  slots: z.array(weekSlot).max(200).refine(areApart),
  /** Delay of all its slots, so that groups do not open at the same time. */
  shiftMinutes: z.number().int().min(0).max(240).default(0),
  preheat: preheat.optional(),
})
export type SequenceGroup = z.infer<typeof sequenceGroup>

const temperaturePlan = z
  .object({
    kind: z.literal('temperature'),
    target: temperatureTarget,
    /** Default: model. The proportional loop needs return temperatures. */
    method: balanceMethod.optional(),
    /** Standard deviation of returns, or of rooms, K. */
    startAboveK: z.number().min(0.1).max(10),
    /** Whether valves with a drifting return are corrected slowly between two campaigns; only for return temperatures. */
    slowTrim: z.boolean().optional(),
    ...checks,
  })
  .refine(({ method, target }) => method !== 'proportional' || target === 'return', { path: ['method'] })
  .refine(({ slowTrim, method, target }) => !slowTrim || (target === 'return' && method !== 'proportional'), {
    path: ['slowTrim'],
  })
const energyPlan = z.object({
  kind: z.literal('energy'),
  line: z
    .object({ cold: heatPoint, mild: heatPoint })
    .refine(({ cold, mild }) => cold.outdoorC < mild.outdoorC, { path: ['mild', 'outdoorC'] }),
  startAboveShare,
  /** By default the supply temperature stays. */
  supply: supplyRules.optional(),
  ...checks,
})
const flowPlan = z.object({
  kind: z.literal('flow'),
  flowKgHM2: flowKgHM2.optional(),
  startAboveShare,
  ...checks,
})
const sequencePlan = z.object({
  kind: z.literal('sequence'),
  /** Flow of share 1; by default the design flow of valves and pipes. */
  flowKgHM2: flowKgHM2.optional(),
  frostC,
  groups: z.array(sequenceGroup).min(1).max(24),
})

/**
 * What a strategy does with the valves below its node. Temperature, heat and flow are checked at intervals and balanced if
 * they are outside the dead band. A sequence keeps groups of buildings at the levels of a weekly timetable.
 */
export const strategyPlan = z.discriminatedUnion('kind', [
  temperaturePlan,
  energyPlan,
  flowPlan,
  sequencePlan,
])

export type StrategyPlan = z.infer<typeof strategyPlan>
export type SequencePlan = Extract<StrategyPlan, { kind: 'sequence' }>

/** The plan of a stored strategy: names of its groups may be older than the rule for names. */
const storedPlan = z.discriminatedUnion('kind', [
  temperaturePlan,
  energyPlan,
  flowPlan,
  sequencePlan.extend({ groups: z.array(sequenceGroup.extend({ name: storedName })) }),
])

/** States of a strategy, with the total table of transitions in docs/specs/strategy.md. */
export const strategyState = z.enum(['draft', 'running', 'paused', 'ended'])
export type StrategyState = z.infer<typeof strategyState>

/** Events of a strategy (docs/specs/strategy.md). */
export const strategyEvent = z.enum(['change', 'start', 'pause', 'end', 'began', 'done', 'halt'])
export type StrategyEvent = z.infer<typeof strategyEvent>

/** Events in its history: those above, its creation, and orders of a supply offset. */
export const strategyHistoryEvent = z.enum(['add', 'supply', ...strategyEvent.options])
export type StrategyHistoryEvent = z.infer<typeof strategyHistoryEvent>

/** Events that the caller can trigger in the present state. */
export const strategyAbility = z.enum(['change', 'start', 'pause', 'end'])
export type StrategyAbility = z.infer<typeof strategyAbility>

/**
 * Index that a strategy checks: the standard deviation of returns or rooms (K), or the root mean square deviation of heat or
 * flow from the target, as a share of it. `limit`: a campaign starts above it, if there is a dead band.
 */
export const strategyIndex = z.object({
  name: z.enum(['sigmaReturnK', 'sigmaRoomK', 'heatDeviation', 'flowDeviation']),
  value: z.number(),
  limit: z.number().optional(),
})
export type StrategyIndex = z.infer<typeof strategyIndex>

/** Why the supply temperature changes or stays (docs/domain/formulas.md). */
export const supplyReason = z.enum([
  'warm',
  'cold-rooms',
  'below-comfort',
  'not-measured',
  'not-at-rest',
  'drifting',
  'enough',
  'at-limit',
  'at-original',
  /** The strategy was paused or ended, or its plan no longer lowers the supply temperature. */
  'stopped',
  /** The node of the strategy belongs to another station by now. */
  'moved',
  /** The order of a person is on its way to the station. */
  'person-order',
  /** Too few measured rooms have a reading that is new enough for a step down. */
  'not-fresh',
  /** The pump gives less flow with a warmer supply, which takes less power for the same heat. */
  'less-flow',
  /** A command was refused: code of the error. */
  'refused',
])
export type SupplyReason = z.infer<typeof supplyReason>

/** Last decision of a strategy on the supply temperature of its station. */
export const supplyCheck = z.object({
  at: instant,
  /** `advise`: the controller accepts no offset; `changeK` is what people should change at the station. */
  kind: z.enum(['lower', 'raise', 'restore', 'hold', 'advise']),
  reason: supplyReason,
  /** Offset before, K; absent if the controller reports none. */
  fromK: z.number().optional(),
  /** Ordered offset, K. */
  toK: z.number().optional(),
  changeK: z.number().optional(),
  /** Head of the pump before, and the one to reach, kPa; absent if it stays. */
  fromKpa: z.number().optional(),
  toKpa: z.number().optional(),
  measuredRooms: z.number().int().nonnegative().optional(),
  coldShare: z.number().optional(),
  /** 5th percentile of the measured rooms, °C. */
  lowestC: z.number().optional(),
  code: z.string().optional(),
  params: errorParams.optional(),
})
export type SupplyCheck = z.infer<typeof supplyCheck>

/** Result of a strategy's last check or of its last campaign. */
export const strategyOutcome = z.object({
  at: instant,
  kind: z.enum([
    /** Within the dead band: no campaign. */
    'within',
    /** Outside the dead band, but moving valves would not help. */
    'nothing-to-move',
    /** Too few readings for a plan, or the heating is off. */
    'not-measured',
    /** Another campaign uses the loop. */
    'loop-taken',
    /** A campaign was started. */
    'begun',
    /** Its campaign was verified and accepted. */
    'done',
    /** The campaign was refused by a command or a change in the meantime: code of the error. */
    'refused',
    /** Its campaign aborted automatically: the strategy paused; a user decides about the rollback. */
    'aborted',
    /** A user rolled its campaign back: the strategy paused. */
    'turned-back',
    /** The user it runs for lost the permission: the strategy paused. */
    'access-lost',
  ]),
  campaign: z.number().int().positive().optional(),
  index: strategyIndex.optional(),
  abort: campaignAbort.optional(),
  code: z.string().optional(),
  params: errorParams.optional(),
})
export type StrategyOutcome = z.infer<typeof strategyOutcome>

/** Starts campaigns on a node automatically; as shown in lists. */
export const strategy = z.object({
  id: z.number().int().positive(),
  version,
  /** The node whose valves it moves, and the station of their loop. */
  node: nodeKey,
  nodeName: z.string(),
  nestaddr: z.string(),
  stationName: z.string(),
  /** IANA time zone of its company, for slots and allowed hours. */
  timeZone: z.string(),
  plan: storedPlan,
  state: strategyState,
  /** While it runs: time of the next check or of its next slot. */
  nextCheckAt: instant.optional(),
  /** Its running campaign. */
  campaign: z.number().int().positive().optional(),
  last: strategyOutcome.optional(),
  /** Last decision on the supply temperature, if its plan lowers it. */
  supply: supplyCheck.optional(),
  createdBy: z.string(),
  createdAt: instant,
  /** The user it runs for: the one that started it last. */
  startedBy: z.string().optional(),
  startedAt: instant.optional(),
  updatedAt: instant,
  endedAt: instant.optional(),
  abilities: z.array(strategyAbility),
})
export type Strategy = z.infer<typeof strategy>

/** An event of a strategy; `by`: the user that caused it, if any. */
export const strategyHistoryEntry = z.object({
  at: instant,
  event: strategyHistoryEvent,
  by: z.string().optional(),
  outcome: strategyOutcome.optional(),
  supply: supplyCheck.optional(),
})
export type StrategyHistoryEntry = z.infer<typeof strategyHistoryEntry>

/** Number of events that are returned with a strategy, and size of a page of its history. */
export const STRATEGY_HISTORY_PAGE = 100

/** A strategy with its history. */
export const strategyDetail = strategy.extend({
  /** The newest page of its events, oldest first. */
  history: z.array(strategyHistoryEntry).max(STRATEGY_HISTORY_PAGE),
  /** Number of all its events. */
  historyTotal: z.number().int().nonnegative(),
})
export type StrategyDetail = z.infer<typeof strategyDetail>

/** One instant of a week at which a sequence changes levels. */
export const sequenceChange = z.object({
  /** Start, including preheating and delays. */
  at: instant,
  /** Levels from then on, by group. */
  levels: z.array(slotLevel),
  /** Groups (by index) that start before their slot, and the start of the slot. */
  preheated: z.array(z.object({ group: z.number().int().nonnegative(), slotAt: instant })),
  /** Head setpoint, kPa, solved from the present readings; absent if it does not change. */
  headKpa: z.number().optional(),
  /** Head at which the valve of the index circuit would be 95 % open, kPa. */
  advisedHeadKpa: z.number().optional(),
  /** Expected flow of the loop with the present head, m³/h. */
  flowM3H: z.number().optional(),
})
export type SequenceChange = z.infer<typeof sequenceChange>

/** Dry run of a strategy with the present readings. Nothing is stored or moved. */
export const strategyPreview = z.object({
  stationName: z.string(),
  /** When the readings were read. */
  at: instant,
  would: z.enum(['begin', 'within', 'slow-trim', 'nothing-to-move']),
  index: strategyIndex.optional(),
  /** Target of an energy strategy in the present weather. */
  heatWM2: z.number().optional(),
  flows: flowKnowledge,
  settleMs,
  moves: z.number().int().nonnegative(),
  station: campaignDetail.shape.station.omit({ after: true }),
  indices: z.object({ before: balanceIndices, expected: balanceIndices }),
  members: z.array(campaignMember),
  /** Only for a sequence. */
  week: z
    .object({
      /** IANA time zone of the slots. */
      timeZone: z.string(),
      /** Changes of the next seven days, in order; the first one is in force now. */
      changes: z.array(sequenceChange),
      /** Why heads are only advised; absent if the pump is controlled. */
      pumpStays: pumpStay.optional(),
      groups: z.array(
        z.object({
          valves: z.number().int().nonnegative(),
          /** Present mean of its measured rooms, °C. */
          roomC: z.number().optional(),
          /** Time constant used for preheating, h. */
          timeConstantH: z.number().optional(),
          /** Source of the time constant. The last two mean the usual value: the stored room temperatures do not suffice. */
          timeConstantBy: z.enum(['stated', 'identified', 'not-identified', 'assumed']).optional(),
          /** 90 % confidence interval of an identified time constant, h. */
          timeConstantLowH: z.number().optional(),
          timeConstantHighH: z.number().optional(),
        }),
      ),
    })
    .optional(),
})
export type StrategyPreview = z.infer<typeof strategyPreview>

/** Strategies have the same kinds as balancing. */
export const strategyKind = balanceKind
