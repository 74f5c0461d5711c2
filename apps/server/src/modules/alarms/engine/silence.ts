import { type AlarmKind, MAX_ALARM_DELAY_S } from '@isotherm/contract/alarms/alarm-kinds'
import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import { someNode } from '../model/path-nodes.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { ObservedPresence } from './engine.ts'
import { timedKinds, toSilenceKind } from './measures.ts'
import { applyVerdict, type ProgressNeeds, restart } from './progress.ts'
import { createSilentGroups, type GroupMeasure, type SilentGroups } from './silent-groups.ts'
import { createSuppression } from './suppression.ts'
import { judge, type Verdict } from './watch-phase.ts'
import type { Originator, Watch } from './watches.ts'

export interface SilenceNeeds extends ProgressNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'countBelow'>
  readonly rules: () => RuleBook
  /** Path of a node whose balancing stopped. */
  readonly findStopPath: (nodeId: number) => string | undefined
}

/** The part of the engine for silent devices, concentrators and subtrees. */
export interface Silence {
  observe(changes: readonly ObservedPresence[]): void
  recordUnreported(deviceIds: Iterable<number>, now: number): void
  /** Sets the place of a node with an alarm. */
  readonly recordPlace: SilentGroups['recordPlace']
  tick(now: number): void
  /** Moves devices from recently silent to silent for long. */
  age(now: number): void
  /** Rules have changed: evaluates the silent devices again. */
  reconsider(now: number): void
  /** A user closed an alarm: a condition that continues starts a new delay. */
  recordEnded(kind: AlarmKind, originator: Originator, now: number): void
  forget(deviceId: number): void
  move(device: DirectoryEntry): void
}

/** Devices that become silent within this time count as one group. */
const TOGETHER_MS = HOUR_MS
/** Pause before the next check of a delay that is over but postponed. */
const POSTPONED_MS = MINUTE_MS

const everyKind: readonly DeviceKind[] = deviceKind.options

export function createSilence(needs: SilenceNeeds): Silence {
  const { watches, put, directory, rules } = needs
  const groups = createSilentGroups((path) => directory.countBelow(path, everyKind))
  /** Devices that became silent while this process ran, with the instant. */
  const silent = new Map<number, number>()
  /** When concentrators and subtrees were no longer silent; retained for the longest delay. */
  const concentratorReturns = new Map<number, number>()
  const groupReturns = new Map<number, number>()
  const suppression = createSuppression({
    watches,
    put,
    directory,
    isAbsent: groups.isAbsent,
    findPath: ({ deviceId, nodeId }) =>
      deviceId === undefined
        ? (groups.measure(nodeId)?.path ?? needs.findStopPath(nodeId))
        : directory.findById(deviceId)?.path,
  })

  function evaluate(device: DirectoryEntry, verdict: Verdict, at: number): void {
    const kind = toSilenceKind(device.kind)
    const rule = rules().find(kind, device, at)
    const known = watches.findOfDevice(kind, device.id)
    if (!rule && !known) return
    const originator = { deviceId: device.id }
    // Always start with a delay: if others become silent too, the alarm belongs to the group.
    if (verdict === 'bad' && known?.phase === 'raising') return
    if (verdict === 'bad' && !known) {
      const dueAt = at + (rule?.raiseAfterS ?? 0) * 1000
      watches.put({ kind, originator, phase: 'raising', since: at, judgedAt: at, dueAt })
      put({ op: 'delay', kind, originator, phase: 'raising', since: at })
      return
    }
    const judged = rule ? verdict : 'void'
    applyVerdict(needs, { kind, originator, verdict: judged, at, rule, isTimed: true })
  }

  function observeOne({ deviceId, at, presence }: ObservedPresence): void {
    const device = directory.findById(deviceId)
    if (!device) return
    if (presence === 'present') {
      silent.delete(deviceId)
      groups.recordReturn(deviceId)
      if (device.kind === 'concentrator') release(concentratorReturns, deviceId, 'concentrator-silent', at)
      evaluate(device, 'good', at)
      return
    }
    groups.recordAbsent(device, at)
    if (presence === 'unknown') return
    if (!silent.has(deviceId)) silent.set(deviceId, at)
    evaluate(device, 'bad', at)
  }

  /** Records when a cause ended. Postponed alarms then start a full delay. */
  function release(backSince: Map<number, number>, id: number, kind: AlarmKind, at: number): void {
    const watch = kind === 'subtree-silent' ? watches.findOfNode(kind, id) : watches.findOfDevice(kind, id)
    if (watch) backSince.set(id, at)
  }

  /** When the last cause above a path ended, Unix ms; 0 if there was none. */
  function findRelease(path: string, concentratorId: number | undefined): number {
    let latest = concentratorId === undefined ? 0 : (concentratorReturns.get(concentratorId) ?? 0)
    if (groupReturns.size === 0) return latest
    someNode(path, (nodeId) => {
      latest = Math.max(latest, groupReturns.get(nodeId) ?? 0)
      return false
    })
    return latest
  }

  function judgeGroup(measure: GroupMeasure, at: number) {
    const rule = rules().find('subtree-silent', measure, at)
    return { rule, verdict: rule ? judge(measure.sharePct, rule, 'above') : ('void' as const) }
  }

  function evaluateGroup(measure: GroupMeasure, at: number): void {
    const { rule, verdict } = judgeGroup(measure, at)
    if (verdict !== 'bad') release(groupReturns, measure.nodeId, 'subtree-silent', at)
    const outcome = applyVerdict(needs, {
      kind: 'subtree-silent',
      originator: { nodeId: measure.nodeId },
      verdict,
      at,
      rule,
      value: Math.round(measure.sharePct),
      isTimed: true,
    })
    if (outcome === 'cleared') groups.age(at - TOGETHER_MS, isBelowSilentGroup)
  }

  /** If the subtree is still silent, it continues to postpone the alarms below it, whose delays may be over already. */
  function recordGroupEnded(nodeId: number, now: number): void {
    groupReturns.set(nodeId, now)
    const measure = groups.measure(nodeId)
    if (measure) evaluateGroup(measure, now)
  }

  function evaluateGroups(now: number): void {
    const known = new Set<number>()
    for (const { originator } of watches.list('subtree-silent')) {
      if (originator.nodeId === undefined) continue
      known.add(originator.nodeId)
      const measure = groups.measure(originator.nodeId)
      if (measure && !isPostponedGroup(measure, now)) evaluateGroup(measure, now)
    }
    const isBad = (measure: GroupMeasure): boolean => judgeGroup(measure, now).verdict === 'bad'
    for (const measure of groups.findCandidates(isBad)) {
      if (!known.has(measure.nodeId)) evaluateGroup(measure, now)
    }
  }

  /** A part of a silent subtree raises no alarm of its own while the delay of the whole subtree runs. */
  const isPostponedGroup = (measure: GroupMeasure, now: number): boolean =>
    watches.findOfNode('subtree-silent', measure.nodeId)?.phase === 'raising' &&
    suppression.isBelowGroup(measure.path, { without: measure.nodeId }) &&
    judgeGroup(measure, now).verdict === 'bad'

  const isPostponed = (device: DirectoryEntry): boolean =>
    suppression.isBelowGroup(device.path, {}) ||
    (device.concentratorId !== undefined &&
      watches.findOfDevice('concentrator-silent', device.concentratorId) !== undefined)

  function evaluateDue(watch: Watch, now: number): void {
    const { originator, dueAt, phase } = watch
    if (dueAt === undefined || dueAt > now || originator.deviceId === undefined) return
    const device = directory.findById(originator.deviceId)
    if (!device) return
    if (phase === 'raising' && isPostponed(device)) {
      watches.put({ ...watch, dueAt: now + POSTPONED_MS })
      return
    }
    const releasedAt = findRelease(device.path, device.concentratorId)
    if (phase === 'raising' && releasedAt > watch.since) {
      restart(needs, watch, rules().find(watch.kind, device, now), releasedAt)
      return
    }
    const rule = rules().find(watch.kind, device, now)
    const verdict = !rule ? 'void' : phase === 'raising' ? 'bad' : 'good'
    applyVerdict(needs, { kind: watch.kind, originator, verdict, at: now, rule, isTimed: true })
  }

  const isBelowSilentGroup = (path: string): boolean => suppression.isBelowGroup(path, {})

  return {
    observe(changes) {
      for (const change of changes) observeOne(change)
    },
    recordPlace: groups.recordPlace,
    recordUnreported(deviceIds, now) {
      for (const id of deviceIds) {
        const device = directory.findById(id)
        // Below a silent subtree the device probably became silent with it.
        if (device) groups.recordAbsent(device, isBelowSilentGroup(device.path) ? now : 'long')
      }
    },
    tick(now) {
      evaluateGroups(now)
      for (const kind of timedKinds) watches.visit(kind, (watch) => evaluateDue(watch, now))
      suppression.update(now)
    },
    age(now) {
      groups.age(now - TOGETHER_MS, isBelowSilentGroup)
      for (const backSince of [concentratorReturns, groupReturns]) {
        for (const [id, at] of backSince) if (at < now - MAX_ALARM_DELAY_S * 1000) backSince.delete(id)
      }
    },
    reconsider(now) {
      for (const id of silent.keys()) {
        const device = directory.findById(id)
        if (device && !watches.findOfDevice(toSilenceKind(device.kind), id)) evaluate(device, 'bad', now)
      }
    },
    recordEnded(kind, { deviceId, nodeId }, now) {
      if (nodeId !== undefined) {
        if (kind === 'subtree-silent') recordGroupEnded(nodeId, now)
        return
      }
      const device = deviceId === undefined ? undefined : directory.findById(deviceId)
      if (!device || kind !== toSilenceKind(device.kind)) return
      if (kind === 'concentrator-silent') concentratorReturns.set(device.id, now)
      if (silent.has(device.id)) evaluate(device, 'bad', now)
    },
    forget(deviceId) {
      silent.delete(deviceId)
      groups.recordReturn(deviceId)
    },
    move(device) {
      if (groups.isAbsent(device.id)) groups.recordAbsent(device, 'long')
    },
  }
}
