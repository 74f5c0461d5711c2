import { type AlarmKind, alarmKindDefinition, alarmKindNames } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmState } from '@isotherm/contract/alarms/alarms'
import type { FindingRule } from '@isotherm/contract/alarms/finding'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { findKindOfFinding, listMeasured, type MeasuredValue } from './measures.ts'
import { applyVerdict } from './progress.ts'
import { createSilence, type Silence } from './silence.ts'
import { createStops, type ObservedStop } from './stops.ts'
import { judge } from './watch-phase.ts'
import { type Change, createWatches, isOn, type Originator, type Watch } from './watches.ts'

/** A live reading of a device, durable and checked. */
export interface ObservedSample {
  readonly device: DirectoryEntry
  /** Unix ms. */
  readonly ts: number
  readonly values: readonly MeasuredValue[]
}

/** A changed presence of a device (telemetry). */
export interface ObservedPresence {
  readonly deviceId: number
  readonly at: number
  readonly presence: 'present' | 'silent' | 'unknown'
}

/** Key of a finding: a device and a plausibility rule. */
export interface FindingKey {
  readonly deviceId: number
  readonly rule: FindingRule
}

/** A finding that started or ended (telemetry). Instants are Unix ms. */
export interface ObservedFinding extends FindingKey {
  readonly since: number
  /** End of the finding; absent while it is open. */
  readonly until?: number | undefined
}

/** A stored alarm or delay, to restore after a restart. */
export interface RestoredWatch {
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly phase: 'raising' | 'raised' | 'clearing'
  /** Unix ms. */
  readonly since: number
  /** Place of a node; absent for devices. */
  readonly place?: { readonly path: string; readonly tenant: string }
}

export interface EngineNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'countBelow'>
  /** Instant of the newest reading of a device, Unix ms. */
  readonly findNewest: (deviceId: number) => number | undefined
  readonly put: (change: Change) => void
}

/** Raises and clears alarms. It is pure: time is passed in, and changes to store are passed to `put`. */
export interface AlarmEngine {
  useRules(book: RuleBook, now: number): void
  /** Accepts live readings, without back-fill. */
  observe(samples: readonly ObservedSample[]): void
  observePresence(changes: readonly ObservedPresence[]): void
  observeFindings(findings: readonly ObservedFinding[], now: number): void
  /** Accepts all strategies and campaigns that stopped automatically, read at `readAt`, Unix ms. */
  observeStops(stops: readonly ObservedStop[], readAt: number): void
  /** The list of stops may be outdated. */
  recordStops(now: number): void
  /** Whether the list of stops must be read again. */
  needsStops(): boolean
  /** Findings that are not quiet in the engine. */
  listFound(): Iterable<FindingKey>
  /** Devices that have not reported since the start: they count as silent for long. */
  recordUnreported(deviceIds: Iterable<number>, now: number): void
  /** Evaluates delays that end by the clock. */
  tick(now: number): void
  /** Evaluates all watches by the current rules: a rule may no longer be in force. */
  review(now: number): void
  /** Restores stored alarms and delays after a restart. `downtimeMs`: how long the server received nothing. */
  restore(
    stored: Iterable<RestoredWatch>,
    outage: { readonly downtimeMs: number; readonly now: number },
  ): void
  /** Applies a state that a user or another replica has set. */
  recordState(kind: AlarmKind, originator: Originator, state: AlarmState, now: number): void
  /** Watches with a raised alarm. */
  listRaised(): Iterable<Pick<Watch, 'kind' | 'originator'>>
  /** A device was retired or removed. */
  withdraw(deviceId: number, now: number): void
  /** A device has moved. */
  move(device: DirectoryEntry): void
}

/** Whether delays of a kind end by the clock, because its state is known without readings. */
const endsByClock = (kind: AlarmKind): boolean =>
  ['presence', 'subtree', 'finding'].includes(alarmKindDefinition(kind).source.from)

/** A device may send one measurement in several messages with slightly different times. */
const TOGETHER_MS = MINUTE_MS

export function createEngine({ directory, findNewest, put }: EngineNeeds): AlarmEngine {
  const watches = createWatches()
  const progress = { watches, put }
  let book: RuleBook = { find: () => undefined }
  const rules = () => book
  const stops = createStops({ ...progress, rules })
  const silence: Silence = createSilence({ ...progress, directory, rules, findStopPath: stops.findPath })

  function recordPlace({ kind, originator: { nodeId }, place }: RestoredWatch): void {
    if (nodeId === undefined || !place) return
    if (alarmKindDefinition(kind).source.from === 'stopped') stops.recordPlace(nodeId, place)
    else silence.recordPlace(nodeId, place)
  }

  function observeOne({ device, ts, values }: ObservedSample): void {
    const originator = { deviceId: device.id }
    for (const { kind, when, measure } of listMeasured(device.kind)) {
      const value = measure(values)
      if (value === undefined) continue
      const rule = book.find(kind, device, ts)
      const verdict = rule ? judge(value, rule, when) : 'void'
      if (!watches.findOfDevice(kind, device.id)) {
        if (verdict !== 'bad') continue
        // Ignore an older reading that arrives late.
        if ((findNewest(device.id) ?? ts) - ts > TOGETHER_MS) continue
      }
      applyVerdict(progress, { kind, originator, verdict, at: ts, rule, value, isTimed: false })
    }
  }

  function observeFinding({ deviceId, rule: finding, until }: ObservedFinding, now: number): void {
    const kind = findKindOfFinding(finding)
    const device = directory.findById(deviceId)
    if (!kind || !device || !alarmKindDefinition(kind).devices.includes(device.kind)) return
    const rule = book.find(kind, device, now)
    const verdict = !rule ? 'void' : until === undefined ? 'bad' : 'good'
    applyVerdict(progress, { kind, originator: { deviceId }, verdict, at: now, rule, isTimed: true })
  }

  /** Clears a watch that no longer has a rule in force. */
  function reviewOne(watch: Watch, now: number): void {
    const { kind, originator } = watch
    if (alarmKindDefinition(kind).source.from === 'subtree') return
    const device = originator.deviceId === undefined ? undefined : directory.findById(originator.deviceId)
    if (!device || book.find(kind, device, now)) return
    applyVerdict(progress, { kind, originator, verdict: 'void', at: now, rule: undefined, isTimed: false })
  }

  return {
    useRules(next, now) {
      book = next
      for (const watch of watches.list()) reviewOne(watch, now)
      silence.reconsider(now)
    },
    observe(samples) {
      for (const sample of samples) observeOne(sample)
    },
    observePresence: silence.observe,
    observeFindings(findings, now) {
      for (const finding of findings) observeFinding(finding, now)
    },
    observeStops: stops.take,
    recordStops: stops.recordChange,
    needsStops: stops.isOutdated,
    *listFound() {
      for (const kind of alarmKindNames) {
        const { source } = alarmKindDefinition(kind)
        if (source.from !== 'finding') continue
        for (const { originator } of watches.list(kind)) {
          if (originator.deviceId !== undefined) yield { deviceId: originator.deviceId, rule: source.rule }
        }
      }
    },
    recordUnreported: silence.recordUnreported,
    tick(now) {
      stops.tick(now)
      silence.tick(now)
    },
    review(now) {
      for (const watch of watches.list()) reviewOne(watch, now)
      silence.age(now)
    },
    restore(stored, { downtimeMs, now }) {
      for (const watch of stored) {
        const { kind, originator, phase, since } = watch
        recordPlace(watch)
        if (phase === 'raised' || !endsByClock(kind)) {
          watches.put({ kind, originator, phase, since, judgedAt: since })
          continue
        }
        // Delays did not run while the server received nothing: devices could not report.
        const start = Math.max(since, Math.min(now, since + downtimeMs))
        watches.put({ kind, originator, phase, since: start, judgedAt: start, dueAt: start })
        if (start !== since) put({ op: 'delay', kind, originator, phase, since: start })
      }
    },
    recordState(kind, originator, state, now) {
      const watch = watches.find(kind, originator)
      const isActive = state === 'active' || state === 'active-acknowledged'
      if (isActive === isOn(watch)) return
      // Another replica has newer information about stops.
      if (alarmKindDefinition(kind).source.from === 'stopped') stops.recordChange(now)
      if (isActive) {
        watches.put({ kind, originator, phase: 'raised', since: now, judgedAt: now })
        return
      }
      watches.remove(kind, originator)
      silence.recordEnded(kind, originator, now)
    },
    listRaised: watches.listOn,
    withdraw(deviceId, now) {
      const originator = { deviceId }
      for (const kind of alarmKindNames) {
        const watch = watches.findOfDevice(kind, deviceId)
        if (!watch) continue
        watches.remove(kind, originator)
        put({ op: 'delay', kind, originator, phase: undefined, since: now })
        if (isOn(watch)) put({ op: 'withdrawn', kind, originator, at: now })
      }
      silence.forget(deviceId)
    },
    move: silence.move,
  }
}
