import {
  type AlarmKind,
  type AlarmSettings,
  alarmKindDefinition,
  alarmKindNames,
} from '@isotherm/contract/alarms/alarm-kinds'
import type { DeviceKind } from '@isotherm/contract/devices'
import { someNode } from '../model/path-nodes.ts'
import { createLocalClock, isInForce, type LocalTime } from './local-time.ts'

/** A stored rule. */
export interface StoredRule extends AlarmSettings {
  readonly id: number
  readonly kind: AlarmKind
  readonly nodeId: number
  /** Empty: all device kinds of the alarm kind. */
  readonly deviceKinds: readonly DeviceKind[]
}

/** The rule in force at a place: a stored rule, or the default rule of the kind, which has no id. */
export type EffectiveRule = AlarmSettings & { readonly id?: number }

/** Place of a device or node, to find its rule. */
export interface RulePlace {
  readonly tenant: string
  /** Path, see platform/scope/scope.ts. */
  readonly path: string
  /** Absent for a node. */
  readonly kind?: DeviceKind
}

/** Lookup of the rules in force. */
export interface RuleBook {
  /** The closest rule of a kind that is in force at an instant (Unix ms); undefined if that rule is disabled. */
  find(kind: AlarmKind, place: RulePlace, at: number): EffectiveRule | undefined
}

/** Rank of a rule among those on one node: more specific rules first, then newer ones. */
const specificity = ({ deviceKinds, hours, season }: StoredRule): number =>
  (deviceKinds.length > 0 ? 4 : 0) + (hours ? 2 : 0) + (season ? 1 : 0)

/** Builds the lookup. Each reading needs several lookups. `timeZones` maps tenants to IANA zones. */
export function createRuleBook(
  rules: readonly StoredRule[],
  timeZones: ReadonlyMap<string, string>,
): RuleBook {
  const byKind = new Map<AlarmKind, Map<number, StoredRule[]>>()
  for (const rule of rules.toSorted(
    (left, right) => specificity(right) - specificity(left) || right.id - left.id,
  )) {
    const byNode = byKind.get(rule.kind) ?? new Map<number, StoredRule[]>()
    byKind.set(rule.kind, byNode)
    byNode.set(rule.nodeId, [...(byNode.get(rule.nodeId) ?? []), rule])
  }
  const clocks = new Map<string, (at: number) => LocalTime>()
  const defaults = new Map(alarmKindNames.map((kind) => [kind, alarmKindDefinition(kind).standard]))

  function toLocal(tenant: string, at: number): LocalTime {
    const clock = clocks.get(tenant) ?? createLocalClock(timeZones.get(tenant) ?? 'UTC')
    clocks.set(tenant, clock)
    return clock(at)
  }

  function findAt(rules: readonly StoredRule[], place: RulePlace, at: number): EffectiveRule | undefined {
    for (const rule of rules) {
      const { deviceKinds } = rule
      if (deviceKinds.length > 0 && (!place.kind || !deviceKinds.includes(place.kind))) continue
      if (isInForce(rule, toLocal(place.tenant, at))) return rule
    }
    return undefined
  }

  function findNearest(kind: AlarmKind, place: RulePlace, at: number): EffectiveRule | undefined {
    const byNode = byKind.get(kind)
    if (!byNode) return undefined
    let nearest: EffectiveRule | undefined
    someNode(place.path, (nodeId) => {
      const rules = byNode.get(nodeId)
      // Nodes are visited from the top down, so a later match is closer.
      if (rules) nearest = findAt(rules, place, at) ?? nearest
      return false
    })
    return nearest
  }

  return {
    find(kind, place, at) {
      const rule = findNearest(kind, place, at) ?? defaults.get(kind)
      if (!rule?.enabled) return undefined
      if (!rule.season && !rule.hours) return rule
      return isInForce(rule, toLocal(place.tenant, at)) ? rule : undefined
    },
  }
}
