import { z } from 'zod'
import { instant, version } from '../entity.ts'
import { errorParams } from '../errors.ts'
import { refersTo } from '../refs.ts'
import { nodeKey } from '../tree.ts'
import { balanceKind } from './balance-kind.ts'
import { balanceMethod } from './balance-method.ts'
import { pumpStay } from './balance-pump.ts'
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

/** When a strategy may begin a campaign, by the clocks of its company; from the later to the earlier it is over midnight. */
const allowedHours = z
  .object({ fromMinute, toMinute })
  .refine((hours) => hours.fromMinute !== hours.toMinute, { path: ['toMinute'] })

/** How often a loop is looked at, and what is done when it is beyond its dead band. */
const looks = {
  everyHours: z.number().min(1).max(168),
  /** Rounds after the first while it is still beyond. */
  trims: z.number().int().min(0).max(3),
  /** Without them at any hour. */
  hours: allowedHours.optional(),
}
/** Dead band as a share of what is wanted. */
const startAboveShare = z.number().min(0.01).max(1)

/** Heat for each m² at an outdoor temperature, °C; a line through two of them says what is wanted in any weather. */
const heatPoint = z.object({ outdoorC: z.number().min(-50).max(30), heatWM2 })

/** Local time of one weekday, from 0 for Monday, and the level that holds in it. */
export const weekSlot = z
  .object({ day: z.number().int().min(0).max(6), fromMinute, toMinute, level: slotLevel })
  .refine((slot) => slot.fromMinute < slot.toMinute, { path: ['toMinute'] })
export type WeekSlot = z.infer<typeof weekSlot>

/** Whether no two slots of a timetable hold at once. */
export const areApart = (slots: readonly WeekSlot[]): boolean =>
  slots
    .toSorted((one, other) => one.day - other.day || one.fromMinute - other.fromMinute)
    .every((slot, index, sorted) => {
      const next = sorted[index + 1]
      return next === undefined || next.day !== slot.day || next.fromMinute >= slot.toMinute
    })

/** Rooms are to be warm when a slot with more heat begins: t = τ·ln((T∞ − T0)/(T∞ − T)) before it (docs/domain/formulas.md). */
const preheat = z
  .object({
    /** τ of the buildings; without it what their rooms show, or a usual one. */
    timeConstantH: z.number().min(1).max(400).optional(),
    /** T: the rooms as they are wanted at the beginning of the slot, °C. */
    wantedC: z.number().min(5).max(26),
    /** T∞: where the rooms would go in the end with the level of the slot, °C. */
    boostedC: z.number().min(6).max(40),
    /** No earlier than this. */
    mostHours: z.number().min(0.25).max(72),
  })
  .refine((given) => given.boostedC > given.wantedC, { path: ['boostedC'] })

/** Buildings that share a timetable. */
export const sequenceGroup = z.object({
  name: z.string().min(1).max(60),
  nodes: z.array(refersTo('node', nodeKey)).min(1).max(500),
  /** Outside of its slots. */
  base: slotLevel,
  slots: z.array(weekSlot).max(200).refine(areApart),
  /** By how much later all its slots begin and end, so that groups do not open at once. */
  shiftMinutes: z.number().int().min(0).max(240).default(0),
  preheat: preheat.optional(),
})
export type SequenceGroup = z.infer<typeof sequenceGroup>

/**
 * What a strategy does with the valves below its node. Temperatures, heat and flow are looked at now and then, and balanced
 * when they are beyond the dead band; a sequence holds groups of buildings to the levels of a week.
 */
export const strategyPlan = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('temperature'),
      target: temperatureTarget,
      /** Without it by the model; the proportional loop goes by returns. */
      method: balanceMethod.optional(),
      /** Standard deviation of returns, or of rooms, K. */
      startAboveK: z.number().min(0.1).max(10),
      /** Between two balances by the model, whether valves whose return drifts are led back slowly; of returns. */
      slowTrim: z.boolean().optional(),
      ...looks,
    })
    .refine(({ method, target }) => method !== 'proportional' || target === 'return', { path: ['method'] })
    .refine(
      ({ slowTrim, method, target }) => !slowTrim || (target === 'return' && method !== 'proportional'),
      { path: ['slowTrim'] },
    ),
  z.object({
    kind: z.literal('energy'),
    line: z
      .object({ cold: heatPoint, mild: heatPoint })
      .refine(({ cold, mild }) => cold.outdoorC < mild.outdoorC, { path: ['mild', 'outdoorC'] }),
    startAboveShare,
    ...looks,
  }),
  z.object({ kind: z.literal('flow'), flowKgHM2: flowKgHM2.optional(), startAboveShare, ...looks }),
  z.object({
    kind: z.literal('sequence'),
    /** Flow of share 1; without it as valves and pipes are laid out. */
    flowKgHM2: flowKgHM2.optional(),
    frostC,
    groups: z.array(sequenceGroup).min(1).max(24),
  }),
])
export type StrategyPlan = z.infer<typeof strategyPlan>
export type SequencePlan = Extract<StrategyPlan, { kind: 'sequence' }>

/** States of a strategy, with the total table of transitions in docs/specs/strategy.md. */
export const strategyState = z.enum(['draft', 'running', 'paused', 'ended'])
export type StrategyState = z.infer<typeof strategyState>

/** What can happen to a strategy; docs/specs/strategy.md says what each means. */
export const strategyEvent = z.enum(['change', 'start', 'pause', 'end', 'began', 'done', 'halt'])
export type StrategyEvent = z.infer<typeof strategyEvent>

/** What its history may say: that, and how it began. */
export const strategyHistoryEvent = z.enum(['add', ...strategyEvent.options])
export type StrategyHistoryEvent = z.infer<typeof strategyHistoryEvent>

/** What the caller may do with a strategy now. */
export const strategyAbility = z.enum(['change', 'start', 'pause', 'end'])
export type StrategyAbility = z.infer<typeof strategyAbility>

/**
 * What a strategy goes by: the standard deviation of returns or rooms (K), or how far heat or flow is from what is wanted,
 * root mean square as a share of that; and beyond what it begins, where it has a dead band.
 */
export const strategyIndex = z.object({
  name: z.enum(['sigmaReturnK', 'sigmaRoomK', 'heatDeviation', 'flowDeviation']),
  value: z.number(),
  limit: z.number().optional(),
})
export type StrategyIndex = z.infer<typeof strategyIndex>

/** How a strategy's last look, or its last campaign, came out. */
export const strategyOutcome = z.object({
  at: instant,
  kind: z.enum([
    /** Within its dead band: nothing was begun. */
    'within',
    /** Beyond, but no valve that may be moved would help. */
    'nothing-to-move',
    /** Too little is measured to plan, or nothing heats. */
    'not-measured',
    /** Another campaign has the loop. */
    'loop-taken',
    /** A campaign was begun. */
    'begun',
    /** Its campaign was verified and accepted. */
    'done',
    /** Commands, or a change since, refused the campaign: the code of the error. */
    'refused',
    /** Its campaign stopped by itself: the strategy paused and left the way back to people. */
    'aborted',
    /** A person turned its campaign back: the strategy paused. */
    'turned-back',
    /** For whom it acts may do so no more: the strategy paused. */
    'access-lost',
  ]),
  campaign: z.number().int().positive().optional(),
  index: strategyIndex.optional(),
  abort: campaignAbort.optional(),
  code: z.string().optional(),
  params: errorParams.optional(),
})
export type StrategyOutcome = z.infer<typeof strategyOutcome>

/** A standing order on a node that begins campaigns by itself, as lists show it. */
export const strategy = z.object({
  id: z.number().int().positive(),
  version,
  /** The node whose valves it is about, and the station whose loop they are in. */
  node: nodeKey,
  nodeName: z.string(),
  nestaddr: z.string(),
  stationName: z.string(),
  /** IANA zone of its company: slots and allowed hours are of these clocks. */
  timeZone: z.string(),
  plan: strategyPlan,
  state: strategyState,
  /** When it looks next, or its next slot begins; while it runs. */
  nextLookAt: instant.optional(),
  /** The campaign it has under way. */
  campaign: z.number().int().positive().optional(),
  last: strategyOutcome.optional(),
  createdBy: z.string(),
  createdAt: instant,
  /** For whom it acts: who started it last. */
  startedBy: z.string().optional(),
  startedAt: instant.optional(),
  updatedAt: instant,
  endedAt: instant.optional(),
  abilities: z.array(strategyAbility),
})
export type Strategy = z.infer<typeof strategy>

/** A strategy with what happened to it. */
/** Something that happened to a strategy, and who caused it, if a person did. */
export const strategyHappening = z.object({
  at: instant,
  event: strategyHistoryEvent,
  by: z.string().optional(),
  outcome: strategyOutcome.optional(),
})
export type StrategyHappening = z.infer<typeof strategyHappening>

/** So much of its history is told with a strategy, and is a page of it. */
export const STRATEGY_HISTORY_PAGE = 100

export const strategyDetail = strategy.extend({
  /** The newest page of all that happened, oldest first. */
  history: z.array(strategyHappening).max(STRATEGY_HISTORY_PAGE),
  happenings: z.number().int().nonnegative(),
})
export type StrategyDetail = z.infer<typeof strategyDetail>

/** One instant of a week at which a sequence changes levels. */
export const sequenceChange = z.object({
  /** When it begins, preheating and shifts counted in. */
  at: instant,
  /** From then on, by group. */
  levels: z.array(slotLevel),
  /** Groups (by their place) that begin before their slot, and when that is. */
  preheated: z.array(z.object({ group: z.number().int().nonnegative(), slotAt: instant })),
  /** The head that the pump is told, kPa, as it is solved from what is measured now; absent where it stays. */
  headKpa: z.number().optional(),
  /** Head at which the valve of the worst loop would stand 95 % open, kPa, whoever sets it. */
  advisedHeadKpa: z.number().optional(),
  /** Expected of the loop with the pump as it is, m³/h. */
  flowM3H: z.number().optional(),
})
export type SequenceChange = z.infer<typeof sequenceChange>

/** Dry run of a strategy from what is measured now; nothing is stored and nothing moved. */
export const strategyPreview = z.object({
  stationName: z.string(),
  /** When it was read. */
  at: instant,
  would: z.enum(['begin', 'within', 'slow-trim', 'nothing-to-move']),
  index: strategyIndex.optional(),
  /** Of an energy strategy in the present weather. */
  heatWM2: z.number().optional(),
  flows: flowKnowledge,
  settleMs,
  moves: z.number().int().nonnegative(),
  station: campaignDetail.shape.station.omit({ after: true }),
  indices: z.object({ before: balanceIndices, expected: balanceIndices }),
  members: z.array(campaignMember),
  /** Of a sequence. */
  week: z
    .object({
      /** IANA zone by whose clocks the slots are. */
      timeZone: z.string(),
      /** The coming seven days, in order; the first is what holds now. */
      changes: z.array(sequenceChange),
      /** Why the heads are only advised; absent where the pump is told them. */
      pumpStays: pumpStay.optional(),
      groups: z.array(
        z.object({
          valves: z.number().int().nonnegative(),
          /** Mean of its rooms now, °C, where any is measured. */
          roomC: z.number().optional(),
          /** What preheating counts with, where it preheats. */
          timeConstantH: z.number().optional(),
          /** The last two are the usual one: what is stored of the rooms says too little, or there is too little of it. */
          timeConstantBy: z.enum(['stated', 'identified', 'not-identified', 'assumed']).optional(),
          /** It lies between these in nine cases of ten, h; where it was worked out. */
          timeConstantLowH: z.number().optional(),
          timeConstantHighH: z.number().optional(),
        }),
      ),
    })
    .optional(),
})
export type StrategyPreview = z.infer<typeof strategyPreview>

/** Kinds of strategies are those of balances. */
export const strategyKind = balanceKind
