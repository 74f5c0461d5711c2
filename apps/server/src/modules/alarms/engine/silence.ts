import { type AlarmKind, MOST_ALARM_DELAY_S } from '@isotherm/contract/alarms/alarm-kinds'
import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import { someNode } from '../model/path-nodes.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { ObservedPresence } from './engine.ts'
import { timedKinds, toSilenceKind } from './measures.ts'
import { type ProgressNeeds, restart, takeLook } from './progress.ts'
import { createSilentGroups, type GroupMeasure, type SilentGroups } from './silent-groups.ts'
import { createSuppression } from './suppression.ts'
import { judge, type Verdict } from './watch-phase.ts'
import type { Originator, Watch } from './watches.ts'

export interface SilenceNeeds extends ProgressNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'countBelow'>
  readonly rules: () => RuleBook
  /** Where a node stands of which balancing stopped. */
  readonly findStopPath: (nodeId: number) => string | undefined
}

/** The part of the engine that hears who falls silent: devices, their concentrators, and whole subtrees. */
export interface Silence {
  observe(changes: readonly ObservedPresence[]): void
  noteUnheard(deviceIds: Iterable<number>, now: number): void
  /** Where a node with an alarm stands. */
  readonly notePlace: SilentGroups['notePlace']
  tick(now: number): void
  /** Counts as gone for long who is so by now. */
  age(now: number): void
  /** The rules are others: who is silent may have to be told of now. */
  reconsider(now: number): void
  /** An alarm was ended by a person: what goes on counts anew. */
  noteEnded(kind: AlarmKind, originator: Originator, now: number): void
  forget(deviceId: number): void
  move(device: DirectoryEntry): void
}

/** Devices that fall silent within this time did so together. */
const TOGETHER_MS = HOUR_MS
/** How soon a delay that is over but held is looked at again. */
const HELD_MS = MINUTE_MS

const everyKind: readonly DeviceKind[] = deviceKind.options

export function createSilence(needs: SilenceNeeds): Silence {
  const { watches, put, directory, rules } = needs
  const groups = createSilentGroups((path) => directory.countBelow(path, everyKind))
  /** Who fell silent while this process ran, and since when. */
  const silent = new Map<number, number>()
  /** When concentrators came back and subtrees were no longer silent, as long as a delay may be. */
  const hubsBack = new Map<number, number>()
  const groupsBack = new Map<number, number>()
  const suppression = createSuppression({
    watches,
    put,
    directory,
    isGone: groups.isGone,
    findPath: ({ deviceId, nodeId }) =>
      deviceId === undefined
        ? (groups.measure(nodeId)?.path ?? needs.findStopPath(nodeId))
        : directory.findById(deviceId)?.path,
  })

  function look(device: DirectoryEntry, verdict: Verdict, at: number): void {
    const kind = toSilenceKind(device.kind)
    const rule = rules().find(kind, device, at)
    const known = watches.findOfDevice(kind, device.id)
    if (!rule && !known) return
    const originator = { deviceId: device.id }
    // Never at once: others may be falling silent in the same moment, and then it is theirs together.
    if (verdict === 'bad' && known?.phase === 'raising') return
    if (verdict === 'bad' && !known) {
      const dueAt = at + (rule?.raiseAfterS ?? 0) * 1000
      watches.put({ kind, originator, phase: 'raising', since: at, judgedAt: at, dueAt })
      put({ op: 'delay', kind, originator, phase: 'raising', since: at })
      return
    }
    const judged = rule ? verdict : 'void'
    takeLook(needs, { kind, originator, verdict: judged, at, rule, isTimed: true })
  }

  function observeOne({ deviceId, at, presence }: ObservedPresence): void {
    const device = directory.findById(deviceId)
    if (!device) return
    if (presence === 'present') {
      silent.delete(deviceId)
      groups.noteBack(deviceId)
      if (device.kind === 'concentrator') release(hubsBack, deviceId, 'concentrator-silent', at)
      look(device, 'good', at)
      return
    }
    groups.noteGone(device, at)
    if (presence === 'unknown') return
    if (!silent.has(deviceId)) silent.set(deviceId, at)
    look(device, 'bad', at)
  }

  /** Remembers when a cause was over; what it held back has its whole delay from then on. */
  function release(backSince: Map<number, number>, id: number, kind: AlarmKind, at: number): void {
    const watch = kind === 'subtree-silent' ? watches.findOfNode(kind, id) : watches.findOfDevice(kind, id)
    if (watch) backSince.set(id, at)
  }

  /** When the last cause was over that may have held back what stands there, Unix ms; 0 for none. */
  function findRelease(path: string, hubId: number | undefined): number {
    let latest = hubId === undefined ? 0 : (hubsBack.get(hubId) ?? 0)
    if (groupsBack.size === 0) return latest
    someNode(path, (nodeId) => {
      latest = Math.max(latest, groupsBack.get(nodeId) ?? 0)
      return false
    })
    return latest
  }

  function judgeGroup(measure: GroupMeasure, at: number) {
    const rule = rules().find('subtree-silent', measure, at)
    return { rule, verdict: rule ? judge(measure.sharePct, rule, 'above') : ('void' as const) }
  }

  function lookAtGroup(measure: GroupMeasure, at: number): void {
    const { rule, verdict } = judgeGroup(measure, at)
    if (verdict !== 'bad') release(groupsBack, measure.nodeId, 'subtree-silent', at)
    const outcome = takeLook(needs, {
      kind: 'subtree-silent',
      originator: { nodeId: measure.nodeId },
      verdict,
      at,
      rule,
      value: Math.round(measure.sharePct),
      isTimed: true,
    })
    if (outcome === 'cleared') groups.age(at - TOGETHER_MS, isKept)
  }

  /** While it goes on it holds what is below as before: the delays of the devices may long be over. */
  function noteGroupEnded(nodeId: number, now: number): void {
    groupsBack.set(nodeId, now)
    const measure = groups.measure(nodeId)
    if (measure) lookAtGroup(measure, now)
  }

  function lookAtGroups(now: number): void {
    const known = new Set<number>()
    for (const { originator } of watches.list('subtree-silent')) {
      if (originator.nodeId === undefined) continue
      known.add(originator.nodeId)
      const measure = groups.measure(originator.nodeId)
      if (measure && !isHeldGroup(measure, now)) lookAtGroup(measure, now)
    }
    const isBad = (measure: GroupMeasure): boolean => judgeGroup(measure, now).verdict === 'bad'
    for (const measure of groups.findCandidates(isBad)) {
      if (!known.has(measure.nodeId)) lookAtGroup(measure, now)
    }
  }

  /** A part of a subtree that is being looked at as a whole is not raised beside it. */
  const isHeldGroup = (measure: GroupMeasure, now: number): boolean =>
    watches.findOfNode('subtree-silent', measure.nodeId)?.phase === 'raising' &&
    suppression.isBelowGroup(measure.path, { without: measure.nodeId }) &&
    judgeGroup(measure, now).verdict === 'bad'

  const isHeld = (device: DirectoryEntry): boolean =>
    suppression.isBelowGroup(device.path, {}) ||
    (device.concentratorId !== undefined &&
      watches.findOfDevice('concentrator-silent', device.concentratorId) !== undefined)

  function lookAtDue(watch: Watch, now: number): void {
    const { originator, dueAt, phase } = watch
    if (dueAt === undefined || dueAt > now || originator.deviceId === undefined) return
    const device = directory.findById(originator.deviceId)
    if (!device) return
    if (phase === 'raising' && isHeld(device)) {
      watches.put({ ...watch, dueAt: now + HELD_MS })
      return
    }
    const released = findRelease(device.path, device.concentratorId)
    if (phase === 'raising' && released > watch.since) {
      restart(needs, watch, rules().find(watch.kind, device, now), released)
      return
    }
    const rule = rules().find(watch.kind, device, now)
    const verdict = !rule ? 'void' : phase === 'raising' ? 'bad' : 'good'
    takeLook(needs, { kind: watch.kind, originator, verdict, at: now, rule, isTimed: true })
  }

  const isKept = (path: string): boolean => suppression.isBelowGroup(path, {})

  return {
    observe(changes) {
      for (const change of changes) observeOne(change)
    },
    notePlace: groups.notePlace,
    noteUnheard(deviceIds, now) {
      for (const id of deviceIds) {
        const device = directory.findById(id)
        // Under an alarm of its subtree it may well be one of those that went.
        if (device) groups.noteGone(device, isKept(device.path) ? now : 'long')
      }
    },
    tick(now) {
      lookAtGroups(now)
      for (const kind of timedKinds) watches.visit(kind, (watch) => lookAtDue(watch, now))
      suppression.update(now)
    },
    age(now) {
      groups.age(now - TOGETHER_MS, isKept)
      for (const backSince of [hubsBack, groupsBack]) {
        for (const [id, at] of backSince) if (at < now - MOST_ALARM_DELAY_S * 1000) backSince.delete(id)
      }
    },
    reconsider(now) {
      for (const id of silent.keys()) {
        const device = directory.findById(id)
        if (device && !watches.findOfDevice(toSilenceKind(device.kind), id)) look(device, 'bad', now)
      }
    },
    noteEnded(kind, { deviceId, nodeId }, now) {
      if (nodeId !== undefined) {
        if (kind === 'subtree-silent') noteGroupEnded(nodeId, now)
        return
      }
      const device = deviceId === undefined ? undefined : directory.findById(deviceId)
      if (!device || kind !== toSilenceKind(device.kind)) return
      if (kind === 'concentrator-silent') hubsBack.set(device.id, now)
      if (silent.has(device.id)) look(device, 'bad', now)
    },
    forget(deviceId) {
      silent.delete(deviceId)
      groups.noteBack(deviceId)
    },
    move(device) {
      if (groups.isGone(device.id)) groups.noteGone(device, 'long')
    },
  }
}
