import type { AlarmKind, StoppedThing } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { RuleBook } from '../rules/rule-book.ts'
import { stoppedKinds } from './measures.ts'
import { applyVerdict, type ProgressNeeds } from './progress.ts'

/** A strategy or campaign that stopped automatically and waits for a user, or a fault of irrigation. */
export interface ObservedStop {
  readonly what: StoppedThing
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
  /** Only of a strategy or campaign. */
  readonly balance?: AlarmBalance
}

export interface StopsNeeds extends ProgressNeeds {
  readonly rules: () => RuleBook
}

type Place = Pick<ObservedStop, 'path' | 'tenant'>

/** The part of the engine for what stopped automatically or failed at a node. */
export interface Stops {
  /** The list of stops may be outdated: it is not evaluated until it is read again. */
  recordChange(now: number): void
  /** Whether the list must be read again. */
  isOutdated(): boolean
  /** Replaces the list of stops, which was read at `readAt`, Unix ms. */
  take(stops: readonly ObservedStop[], readAt: number): void
  /** Evaluates the stops by the current rules. */
  tick(now: number): void
  /** Sets the place of a node with an alarm. */
  recordPlace(nodeId: number, place: Place): void
  findPath(nodeId: number): string | undefined
}

export function createStops(needs: StopsNeeds): Stops {
  const { watches, rules } = needs
  const places = new Map<number, Place>()
  /** Stops by alarm kind and node. */
  let stopped: ReadonlyMap<AlarmKind, ReadonlyMap<number, ObservedStop>> = new Map()
  let readFrom = Number.NEGATIVE_INFINITY
  let changedAt = Number.NEGATIVE_INFINITY

  function evaluate(kind: AlarmKind, nodeId: number, stop: ObservedStop | undefined, now: number): void {
    const place = places.get(nodeId)
    const rule = place && rules().find(kind, place, now)
    applyVerdict(needs, {
      kind,
      originator: { nodeId },
      rule,
      at: now,
      isTimed: false,
      balance: stop?.balance,
      verdict: !rule ? 'void' : stop ? 'bad' : 'good',
    })
  }

  const isOutdated = (): boolean => readFrom <= changedAt

  function evaluateAll(now: number): void {
    for (const [kind, byNode] of stopped) {
      for (const [nodeId, stop] of byNode) evaluate(kind, nodeId, stop, now)
      for (const { originator } of [...watches.list(kind)]) {
        const { nodeId } = originator
        if (nodeId !== undefined && !byNode.has(nodeId)) evaluate(kind, nodeId, undefined, now)
      }
    }
  }

  return {
    recordChange(now) {
      changedAt = now
    },
    isOutdated,
    take(stops, readAt) {
      for (const { nodeId, path, tenant } of stops) places.set(nodeId, { path, tenant })
      stopped = new Map(
        [...stoppedKinds].map(([what, kind]) => [
          kind,
          new Map(stops.filter((stop) => stop.what === what).map((stop) => [stop.nodeId, stop])),
        ]),
      )
      readFrom = readAt
      evaluateAll(readAt)
    },
    tick(now) {
      if (!isOutdated()) evaluateAll(now)
    },
    recordPlace: (nodeId, place) => places.set(nodeId, place),
    findPath: (nodeId) => places.get(nodeId)?.path,
  }
}
