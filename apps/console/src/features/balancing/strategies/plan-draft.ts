import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { BalanceMethod } from '@isotherm/contract/balancing/balance-method'
import {
  type SequenceGroup,
  type StrategyPlan,
  type SupplyRules,
  strategyPlan,
} from '@isotherm/contract/balancing/strategies'
import type { DaySpan } from './week/week-slots.ts'
import { putSlots, weekdays } from './week/week-slots.ts'

type PlanOf<Kind extends BalanceKind> = Extract<StrategyPlan, { kind: Kind }>
/** Null while incomplete, or if optional and empty. */
type Typed = number | null

export interface PreheatDraft {
  readonly wantedC: Typed
  readonly boostedC: Typed
  readonly maxHours: Typed
  readonly timeConstantH: Typed
}

export interface GroupDraft extends Pick<SequenceGroup, 'name' | 'nodes' | 'base' | 'slots'> {
  readonly shiftMinutes: Typed
  readonly preheat: PreheatDraft | undefined
}

/** Rules for the supply temperature; shares in %. */
export interface SupplyDraft {
  readonly comfortC: Typed
  readonly coldMarginK: Typed
  readonly maxColdPct: Typed
  readonly lowerK: Typed
  readonly minMeasuredPct: Typed
  /** 100 leaves the pump alone. */
  readonly minHeadPct: Typed
}

/** Draft of a strategy form of any kind. */
export interface PlanDraft {
  readonly kind: BalanceKind
  readonly target: PlanOf<'temperature'>['target']
  /** Method for return temperatures; other targets use the model. */
  readonly method: BalanceMethod
  /** Only for return temperatures with the model method. */
  readonly slowTrim: boolean
  readonly startAboveK: Typed
  readonly startAbovePct: Typed
  readonly everyHours: Typed
  readonly trims: Typed
  readonly hours: DaySpan | undefined
  readonly cold: { readonly outdoorC: Typed; readonly heatWM2: Typed }
  readonly mild: { readonly outdoorC: Typed; readonly heatWM2: Typed }
  /** Campaigns leave the head of the pump alone. */
  readonly keepsPump: boolean
  /** Absent: the supply temperature stays. */
  readonly supply: SupplyDraft | undefined
  readonly flowKgHM2: Typed
  readonly frostC: Typed
  readonly groups: readonly GroupDraft[]
}

/** Default preheating: target 20 °C, final temperature 23 °C, at most 12 h earlier. */
export const usualPreheat: PreheatDraft = { wantedC: 20, boostedC: 23, maxHours: 12, timeConstantH: null }

const WHOLE_PCT = 100

/** Default rules: 95 % of the rooms at 20 °C, at most 2 % below 18.5 °C, steps of 0.5 K, rooms behind half of the valves. */
export const usualSupply: SupplyDraft = {
  comfortC: 20,
  coldMarginK: 0.5,
  maxColdPct: 2,
  lowerK: 0.5,
  minMeasuredPct: 50,
  minHeadPct: WHOLE_PCT,
}

const WORKDAYS = weekdays.slice(0, 5)

/** A new group: full flow from 6:00 to 22:00 on workdays, 60 % otherwise. */
export const startGroup = (name: string): GroupDraft => ({
  name,
  nodes: [],
  base: { kind: 'flow', share: 0.6 },
  slots: [
    ...putSlots([], WORKDAYS, { fromMinute: 6 * 60, toMinute: 22 * 60 }, { kind: 'flow' as const, share: 1 }),
  ],
  shiftMinutes: 0,
  preheat: undefined,
})

/** Initial draft. */
export const startPlanDraft = (kind: BalanceKind, groupName: string): PlanDraft => ({
  kind,
  target: 'return',
  method: 'model',
  slowTrim: true,
  startAboveK: 1,
  startAbovePct: 10,
  everyHours: 6,
  trims: 1,
  hours: undefined,
  cold: { outdoorC: -15, heatWM2: 45 },
  mild: { outdoorC: 10, heatWM2: 15 },
  keepsPump: false,
  supply: undefined,
  flowKgHM2: null,
  frostC: 10,
  groups: [startGroup(groupName)],
})

const toGroupDraft = ({ preheat, shiftMinutes, ...group }: SequenceGroup): GroupDraft => ({
  ...group,
  shiftMinutes,
  preheat: preheat && { ...preheat, timeConstantH: preheat.timeConstantH ?? null },
})

/** Draft of an existing strategy. */
export function toPlanDraft(plan: StrategyPlan): PlanDraft {
  const draft = startPlanDraft(plan.kind, '')
  if (plan.kind === 'sequence') {
    const { flowKgHM2 = null, frostC, groups } = plan
    return { ...draft, flowKgHM2, frostC, groups: groups.map(toGroupDraft) }
  }
  const { everyHours, trims, hours, pump } = plan
  const looks = { ...draft, everyHours, trims, hours, keepsPump: pump === 'keep' }
  switch (plan.kind) {
    case 'temperature':
      return {
        ...looks,
        target: plan.target,
        startAboveK: plan.startAboveK,
        method: plan.method ?? 'model',
        slowTrim: plan.slowTrim ?? false,
      }
    case 'energy':
      return {
        ...looks,
        ...plan.line,
        startAbovePct: toPct(plan.startAboveShare),
        supply: plan.supply && toSupplyDraft(plan.supply),
      }
    case 'flow':
      return { ...looks, flowKgHM2: plan.flowKgHM2 ?? null, startAbovePct: toPct(plan.startAboveShare) }
  }
}

/** A share in %, without binary rounding errors. */
const toPct = (share: number): number => Number((100 * share).toFixed(6))

const toSupplyDraft = ({ comfortC, coldMarginK, lowerK, ...shares }: SupplyRules): SupplyDraft => ({
  comfortC,
  coldMarginK,
  lowerK,
  maxColdPct: toPct(shares.maxColdShare),
  minMeasuredPct: toPct(shares.minMeasuredShare),
  minHeadPct: toPct(shares.minHeadShare ?? 1),
})

const toShare = (pct: Typed): Typed => (pct === null ? null : pct / 100)

const toSupply = ({ maxColdPct, minMeasuredPct, minHeadPct, ...rules }: SupplyDraft) => ({
  ...rules,
  maxColdShare: toShare(maxColdPct),
  minMeasuredShare: toShare(minMeasuredPct),
  ...(minHeadPct === WHOLE_PCT ? {} : { minHeadShare: toShare(minHeadPct) }),
})

const toGroup = ({ preheat, ...group }: GroupDraft) => ({
  ...group,
  name: group.name.trim(),
  ...(preheat && { preheat: withoutNull(preheat, 'timeConstantH') }),
})

/** Omits an empty field. */
function withoutNull<Draft extends object, Key extends keyof Draft>(
  draft: Draft,
  key: Key,
): Omit<Draft, Key> | Draft {
  if (draft[key] !== null) return draft
  const { [key]: _, ...rest } = draft
  return rest
}

/** A field with a missing or invalid value. */
export const faultFields = [
  'startAboveK',
  'startAboveShare',
  'everyHours',
  'trims',
  'hours',
  'line',
  'supply',
  'flowKgHM2',
  'frostC',
  'name',
  'nodes',
  'base',
  'slots',
  'shiftMinutes',
  'preheat',
] as const
export type FaultField = (typeof faultFields)[number]

export interface PlanFault {
  readonly field: FaultField
  /** Index of its group. */
  readonly group?: number
}

/** Parses a draft with the contract schema. */
function judge(draft: PlanDraft) {
  const { kind, target, method, slowTrim, startAboveK, startAbovePct, everyHours, trims, hours } = draft
  const { cold, mild, frostC, supply, keepsPump } = draft
  const pump = keepsPump && { pump: 'keep' }
  const looks = { kind, everyHours, trims, ...(hours && { hours }), ...pump }
  const flow = draft.flowKgHM2 === null ? {} : { flowKgHM2: draft.flowKgHM2 }
  const startAboveShare = startAbovePct === null ? null : startAbovePct / 100
  const made = {
    temperature: {
      ...looks,
      target,
      startAboveK,
      ...(target === 'return' && method === 'proportional' && { method }),
      ...(target === 'return' && method === 'model' && slowTrim && { slowTrim }),
    },
    energy: { ...looks, line: { cold, mild }, startAboveShare, ...(supply && { supply: toSupply(supply) }) },
    flow: { ...looks, ...flow, startAboveShare },
    sequence: { kind, ...flow, frostC, groups: draft.groups.map(toGroup) },
  }[kind]
  return strategyPlan.safeParse(made)
}

/** Plan of a draft; undefined while a value is missing or out of bounds. */
export const findPlan = (draft: PlanDraft): StrategyPlan | undefined => judge(draft).data

/** Fields with missing or invalid values, each once. */
export function listFaults(draft: PlanDraft): readonly PlanFault[] {
  const faults = (judge(draft).error?.issues ?? []).flatMap(({ path }): PlanFault[] => {
    const [first, place, inGroup] = path
    const isGroup = first === 'groups' && typeof place === 'number'
    const field = faultFields.find((each) => each === (isGroup ? inGroup : first))
    return field === undefined ? [] : [{ field, ...(isGroup && { group: place }) }]
  })
  const known = new Set<string>()
  return faults.filter(({ field, group }) => {
    const key = `${group} ${field}`
    return !known.has(key) && known.add(key)
  })
}
