import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { RuleBook } from '../rules/rule-book.ts'
import { stoppedKinds } from './measures.ts'
import { type ProgressNeeds, takeLook } from './progress.ts'

/** A strategy that halted, or a campaign that aborted, by itself, and waits for people (balancing). */
export interface ObservedStop {
  readonly what: 'strategy' | 'campaign'
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
  readonly balance: AlarmBalance
}

export interface StopsNeeds extends ProgressNeeds {
  readonly rules: () => RuleBook
}

type Place = Pick<ObservedStop, 'path' | 'tenant'>

/** The part of the engine that is told what of balancing stopped by itself. */
export interface Stops {
  /** Something may be otherwise since it was taken in: it is judged no more before it is taken in anew. */
  noteChange(now: number): void
  /** Whether it is to be taken in anew. */
  isOutdated(): boolean
  /** Takes in all that are stopped, as they were read from an instant on. */
  take(stops: readonly ObservedStop[], readAt: number): void
  /** Judges by the clock and by the rules as they are now. */
  tick(now: number): void
  /** Where a node with an alarm stands. */
  notePlace(nodeId: number, place: Place): void
  findPath(nodeId: number): string | undefined
}

export function createStops(needs: StopsNeeds): Stops {
  const { watches, rules } = needs
  const places = new Map<number, Place>()
  /** Of each kind by their nodes. */
  let stopped: ReadonlyMap<AlarmKind, ReadonlyMap<number, ObservedStop>> = new Map()
  let readFrom = Number.NEGATIVE_INFINITY
  let changedAt = Number.NEGATIVE_INFINITY

  function look(kind: AlarmKind, nodeId: number, stop: ObservedStop | undefined, now: number): void {
    const place = places.get(nodeId)
    const rule = place && rules().find(kind, place, now)
    takeLook(needs, {
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

  function judgeAll(now: number): void {
    for (const [kind, byNode] of stopped) {
      for (const [nodeId, stop] of byNode) look(kind, nodeId, stop, now)
      for (const { originator } of [...watches.list(kind)]) {
        const { nodeId } = originator
        if (nodeId !== undefined && !byNode.has(nodeId)) look(kind, nodeId, undefined, now)
      }
    }
  }

  return {
    noteChange(now) {
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
      judgeAll(readAt)
    },
    tick(now) {
      if (!isOutdated()) judgeAll(now)
    },
    notePlace: (nodeId, place) => places.set(nodeId, place),
    findPath: (nodeId) => places.get(nodeId)?.path,
  }
}
