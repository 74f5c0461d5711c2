import {
  type AlarmKind,
  type AlarmSettings,
  alarmKindDefinition,
  alarmKindNames,
} from '@isotherm/contract/alarms/alarm-kinds'
import type { DeviceKind } from '@isotherm/contract/devices'
import { someNode } from '../model/path-nodes.ts'
import { createLocalClock, isInForce, type LocalTime } from './local-time.ts'

/** A rule as it is evaluated. */
export interface BookedRule extends AlarmSettings {
  readonly id: number
  readonly kind: AlarmKind
  readonly nodeId: number
  /** Empty for all the kind can be of. */
  readonly deviceKinds: readonly DeviceKind[]
}

/** What holds somewhere: a rule, or the standard of the kind, which has no id. */
export type HeldRule = AlarmSettings & { readonly id?: number }

/** Where something stands that rules are asked for. */
export interface RulePlace {
  readonly tenant: string
  /** Its path, see platform/scope.ts. */
  readonly path: string
  /** Absent for a node. */
  readonly kind?: DeviceKind
}

export interface RuleBook {
  /** The rule of a kind that is nearest to a place and in force at an instant (Unix ms); undefined when that is off. */
  find(kind: AlarmKind, place: RulePlace, at: number): HeldRule | undefined
}

/** Of rules on one node the more particular goes first, and of equal ones the newer. */
const particularity = ({ deviceKinds, hours, season }: BookedRule): number =>
  (deviceKinds.length > 0 ? 4 : 0) + (hours ? 2 : 0) + (season ? 1 : 0)

/** Reads rules once for many questions: a reading asks several. */
export function createRuleBook(
  rules: readonly BookedRule[],
  timeZones: ReadonlyMap<string, string>,
): RuleBook {
  const byKind = new Map<AlarmKind, Map<number, BookedRule[]>>()
  for (const rule of rules.toSorted(
    (left, right) => particularity(right) - particularity(left) || right.id - left.id,
  )) {
    const byNode = byKind.get(rule.kind) ?? new Map<number, BookedRule[]>()
    byKind.set(rule.kind, byNode)
    byNode.set(rule.nodeId, [...(byNode.get(rule.nodeId) ?? []), rule])
  }
  const clocks = new Map<string, (at: number) => LocalTime>()
  const standards = new Map(alarmKindNames.map((kind) => [kind, alarmKindDefinition(kind).standard]))

  function toLocal(tenant: string, at: number): LocalTime {
    const clock = clocks.get(tenant) ?? createLocalClock(timeZones.get(tenant) ?? 'UTC')
    clocks.set(tenant, clock)
    return clock(at)
  }

  function findAt(rules: readonly BookedRule[], place: RulePlace, at: number): HeldRule | undefined {
    for (const rule of rules) {
      const { deviceKinds } = rule
      if (deviceKinds.length > 0 && (!place.kind || !deviceKinds.includes(place.kind))) continue
      if (isInForce(rule, toLocal(place.tenant, at))) return rule
    }
    return undefined
  }

  function findNearest(kind: AlarmKind, place: RulePlace, at: number): HeldRule | undefined {
    const byNode = byKind.get(kind)
    if (!byNode) return undefined
    let nearest: HeldRule | undefined
    someNode(place.path, (nodeId) => {
      const rules = byNode.get(nodeId)
      // From the top down: what is found later is nearer.
      if (rules) nearest = findAt(rules, place, at) ?? nearest
      return false
    })
    return nearest
  }

  return {
    find(kind, place, at) {
      const held = findNearest(kind, place, at) ?? standards.get(kind)
      if (!held?.enabled) return undefined
      if (!held.season && !held.hours) return held
      return isInForce(held, toLocal(place.tenant, at)) ? held : undefined
    },
  }
}
