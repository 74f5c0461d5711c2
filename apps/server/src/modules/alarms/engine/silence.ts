import { type AlarmKind, MAX_ALARM_DELAY_S } from '@isotherm/contract/alarms/alarm-kinds'
import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { createIdColumn } from '../../../platform/columns/id-column.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import { someNode } from '../model/path-nodes.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { ObservedPresence } from './engine.ts'
import { timedKinds, toSilenceKind } from './measures.ts'
import { applyVerdict, type ProgressNeeds, restart } from './progress.ts'
import { createSilentSubtrees, type SilentSubtrees, type SubtreeMeasure } from './silent-subtrees.ts'
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
  readonly recordPlace: SilentSubtrees['recordPlace']
  tick(now: number): void
  /**
   * Counts devices that have been silent for longer than TOGETHER_MS as silent for long. Forgets causes that ended
   * long ago.
   */
  age(now: number): void
  /** Rules have changed: evaluates the silent devices again. */
  reconsider(now: number): void
  /** A user closed an alarm: a condition that continues starts a new delay. */
  recordEnded(kind: AlarmKind, originator: Originator, now: number): void
  forget(deviceId: number): void
  move(device: DirectoryEntry): void
}

/** Devices that become silent within this time count as one silent subtree. */
const TOGETHER_MS = HOUR_MS
/** Pause before the next check of a delay that is over but postponed. */
const POSTPONED_MS = MINUTE_MS

const everyKind: readonly DeviceKind[] = deviceKind.options

export function createSilence(needs: SilenceNeeds): Silence {
  const { watches, put, directory, rules } = needs
  const subtrees = createSilentSubtrees((path) => directory.countBelow(path, everyKind))
  /** 1 for devices that became silent while this process ran, of which none has an id above `highestSilent`. */
  const silent = createIdColumn(0, Uint8Array)
  let highestSilent = 0
  /** When concentrators and subtrees reported again; retained for the longest delay of an alarm. */
  const concentratorReturns = new Map<number, number>()
  const subtreeReturns = new Map<number, number>()
  const suppression = createSuppression({
    watches,
    put,
    directory,
    isAbsent: subtrees.isAbsent,
    findPath: ({ deviceId, nodeId }) =>
      deviceId === undefined
        ? (subtrees.measure(nodeId)?.path ?? needs.findStopPath(nodeId))
        : directory.findById(deviceId)?.path,
  })

  function evaluate(device: DirectoryEntry, verdict: Verdict, at: number): void {
    const kind = toSilenceKind(device.kind)
    const rule = rules().find(kind, device, at)
    const known = watches.findOfDevice(kind, device.id)
    if (!rule && !known) return
    const originator = { deviceId: device.id }
    // Always start with a delay: if others become silent too, the alarm belongs to their subtree.
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

  const isSilent = (deviceId: number): boolean => silent.get(deviceId) === 1

  function observeOne({ deviceId, at, presence }: ObservedPresence): void {
    const device = directory.findById(deviceId)
    if (!device) return
    if (presence === 'present') {
      if (isSilent(deviceId)) silent.put(deviceId, 0)
      subtrees.recordReturn(deviceId)
      if (device.kind === 'concentrator')
        recordCauseEnded(concentratorReturns, deviceId, 'concentrator-silent', at)
      evaluate(device, 'good', at)
      return
    }
    subtrees.recordAbsent(device, at)
    if (presence === 'unknown') return
    silent.put(deviceId, 1)
    highestSilent = Math.max(highestSilent, deviceId)
    evaluate(device, 'bad', at)
  }

  /** Records when a silent concentrator or subtree reported again. Alarms that it postponed then start a full delay. */
  function recordCauseEnded(backSince: Map<number, number>, id: number, kind: AlarmKind, at: number): void {
    const watch = kind === 'subtree-silent' ? watches.findOfNode(kind, id) : watches.findOfDevice(kind, id)
    if (watch) backSince.set(id, at)
  }

  /** When the last silent concentrator or subtree above a path reported again, Unix ms; 0 if there was none. */
  function findLastCauseEnd(path: string, concentratorId: number | undefined): number {
    let latest = concentratorId === undefined ? 0 : (concentratorReturns.get(concentratorId) ?? 0)
    if (subtreeReturns.size === 0) return latest
    someNode(path, (nodeId) => {
      latest = Math.max(latest, subtreeReturns.get(nodeId) ?? 0)
      return false
    })
    return latest
  }

  function judgeSubtree(measure: SubtreeMeasure, at: number) {
    const rule = rules().find('subtree-silent', measure, at)
    return { rule, verdict: rule ? judge(measure.sharePct, rule, 'above') : ('void' as const) }
  }

  function evaluateSubtree(measure: SubtreeMeasure, at: number): void {
    const { rule, verdict } = judgeSubtree(measure, at)
    if (verdict !== 'bad') recordCauseEnded(subtreeReturns, measure.nodeId, 'subtree-silent', at)
    const outcome = applyVerdict(needs, {
      kind: 'subtree-silent',
      originator: { nodeId: measure.nodeId },
      verdict,
      at,
      rule,
      value: Math.round(measure.sharePct),
      isTimed: true,
    })
    if (outcome === 'cleared') subtrees.age(at - TOGETHER_MS, isBelowSilentSubtree)
  }

  /** If the subtree is still silent, it continues to postpone the alarms below it, whose delays may be over already. */
  function recordSubtreeEnded(nodeId: number, now: number): void {
    subtreeReturns.set(nodeId, now)
    const measure = subtrees.measure(nodeId)
    if (measure) evaluateSubtree(measure, now)
  }

  function evaluateSubtrees(now: number): void {
    const known = new Set<number>()
    for (const { originator } of watches.list('subtree-silent')) {
      if (originator.nodeId === undefined) continue
      known.add(originator.nodeId)
      const measure = subtrees.measure(originator.nodeId)
      if (measure && !isPostponedSubtree(measure, now)) evaluateSubtree(measure, now)
    }
    const isBad = (measure: SubtreeMeasure): boolean => judgeSubtree(measure, now).verdict === 'bad'
    for (const measure of subtrees.findCandidates(isBad)) {
      if (!known.has(measure.nodeId)) evaluateSubtree(measure, now)
    }
  }

  /** A part of a silent subtree raises no alarm of its own while the delay of the whole subtree runs. */
  const isPostponedSubtree = (measure: SubtreeMeasure, now: number): boolean =>
    watches.findOfNode('subtree-silent', measure.nodeId)?.phase === 'raising' &&
    suppression.isBelowSilentSubtree(measure.path, { without: measure.nodeId }) &&
    judgeSubtree(measure, now).verdict === 'bad'

  const isPostponed = (device: DirectoryEntry): boolean =>
    suppression.isBelowSilentSubtree(device.path, {}) ||
    (device.concentratorId !== undefined &&
      watches.findOfDevice('concentrator-silent', device.concentratorId) !== undefined)

  function evaluateDue(watch: Watch, now: number): void {
    const { originator, phase } = watch
    if (originator.deviceId === undefined) return
    const device = directory.findById(originator.deviceId)
    if (!device) return
    if (phase === 'raising' && isPostponed(device)) {
      watches.put({ ...watch, dueAt: now + POSTPONED_MS })
      return
    }
    const causeEndedAt = findLastCauseEnd(device.path, device.concentratorId)
    if (phase === 'raising' && causeEndedAt > watch.since) {
      restart(needs, watch, rules().find(watch.kind, device, now), causeEndedAt)
      return
    }
    const rule = rules().find(watch.kind, device, now)
    const verdict = !rule ? 'void' : phase === 'raising' ? 'bad' : 'good'
    applyVerdict(needs, { kind: watch.kind, originator, verdict, at: now, rule, isTimed: true })
  }

  const isBelowSilentSubtree = (path: string): boolean => suppression.isBelowSilentSubtree(path, {})

  return {
    observe(changes) {
      for (const change of changes) observeOne(change)
    },
    recordPlace: subtrees.recordPlace,
    recordUnreported(deviceIds, now) {
      for (const id of deviceIds) {
        const device = directory.findById(id)
        // Below a silent subtree the device probably became silent with it.
        if (device) subtrees.recordAbsent(device, isBelowSilentSubtree(device.path) ? now : 'long')
      }
    },
    tick(now) {
      evaluateSubtrees(now)
      for (const kind of timedKinds) for (const watch of watches.listDue(kind, now)) evaluateDue(watch, now)
      suppression.update(now)
    },
    age(now) {
      subtrees.age(now - TOGETHER_MS, isBelowSilentSubtree)
      for (const backSince of [concentratorReturns, subtreeReturns]) {
        for (const [id, at] of backSince) if (at < now - MAX_ALARM_DELAY_S * 1000) backSince.delete(id)
      }
    },
    reconsider(now) {
      for (let id = 1; id <= highestSilent; id += 1) {
        const device = isSilent(id) ? directory.findById(id) : undefined
        if (device && !watches.findOfDevice(toSilenceKind(device.kind), id)) evaluate(device, 'bad', now)
      }
    },
    recordEnded(kind, { deviceId, nodeId }, now) {
      if (nodeId !== undefined) {
        if (kind === 'subtree-silent') recordSubtreeEnded(nodeId, now)
        return
      }
      const device = deviceId === undefined ? undefined : directory.findById(deviceId)
      if (!device || kind !== toSilenceKind(device.kind)) return
      if (kind === 'concentrator-silent') concentratorReturns.set(device.id, now)
      if (isSilent(device.id)) evaluate(device, 'bad', now)
    },
    forget(deviceId) {
      if (isSilent(deviceId)) silent.put(deviceId, 0)
      subtrees.recordReturn(deviceId)
    },
    move(device) {
      if (subtrees.isAbsent(device.id)) subtrees.recordAbsent(device, 'long')
    },
  }
}
