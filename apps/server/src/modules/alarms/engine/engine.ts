import { type AlarmKind, alarmKindDefinition, alarmKindNames } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmState } from '@isotherm/contract/alarms/alarms'
import type { FindingRule } from '@isotherm/contract/alarms/finding'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { findKindOfFinding, listMeasured, type MeasuredValue } from './measures.ts'
import { takeLook } from './progress.ts'
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

/** What a device's presence became (telemetry). */
export interface ObservedPresence {
  readonly deviceId: number
  readonly at: number
  readonly presence: 'present' | 'silent' | 'unknown'
}

/** What a device's live readings may show. */
export interface FindingKey {
  readonly deviceId: number
  readonly rule: FindingRule
}

/** Something a device's live readings began or ceased to show (telemetry). Instants are Unix ms. */
export interface ObservedFinding extends FindingKey {
  readonly since: number
  /** Absent while they show it. */
  readonly until?: number | undefined
}

/** An alarm or a delay as it was put down. */
export interface Recalled {
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly phase: 'raising' | 'raised' | 'clearing'
  /** Unix ms. */
  readonly since: number
  /** Of a node: where it stands. */
  readonly place?: { readonly path: string; readonly tenant: string }
}

export interface EngineNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'countBelow'>
  /** Instant of the newest reading of a device, Unix ms. */
  readonly findNewest: (deviceId: number) => number | undefined
  readonly put: (change: Change) => void
}

/** What raises and clears alarms: it looks at everything and tells what is to be put down, itself keeping time by what it is told. */
export interface AlarmEngine {
  useRules(book: RuleBook, now: number): void
  /** Live readings; back-fill is none of them. */
  observe(samples: readonly ObservedSample[]): void
  observePresence(changes: readonly ObservedPresence[]): void
  observeFindings(findings: readonly ObservedFinding[], now: number): void
  /** All of balancing that stopped by itself and waits for people, as it was read from an instant on. */
  observeStops(stops: readonly ObservedStop[], readAt: number): void
  /** Some of that may be otherwise by now. */
  noteStops(now: number): void
  /** Whether it is to be observed anew. */
  missesStops(): boolean
  /** What counts here as shown, or did until lately. */
  listFound(): Iterable<FindingKey>
  /** Devices of which nothing was heard before: they count as gone for long. */
  noteUnheard(deviceIds: Iterable<number>, now: number): void
  /** Looks at what waits for the clock. */
  tick(now: number): void
  /** Judges everything that is not quiet by the rules as they are now: one may no longer be in force. */
  review(now: number): void
  /** What was put down before this process began, which for so long could hear nobody. */
  recall(what: Iterable<Recalled>, away: { readonly awayMs: number; readonly now: number }): void
  /** An alarm that is otherwise than it was left here: by a person, or by another replica. */
  noteState(kind: AlarmKind, originator: Originator, state: AlarmState, now: number): void
  /** What is raised here. */
  listRaised(): Iterable<Pick<Watch, 'kind' | 'originator'>>
  /** A device that is out of use, or was removed. */
  withdraw(deviceId: number, now: number): void
  /** A device that stands elsewhere now. */
  move(device: DirectoryEntry): void
}

/** Whether what a kind is of is heard of beside readings, so that a delay of it ends by the clock. */
const isHeard = (kind: AlarmKind): boolean =>
  ['presence', 'subtree', 'finding'].includes(alarmKindDefinition(kind).source.from)

/** A device may send what it measures in several messages, which are not of quite the same instant. */
const TOGETHER_MS = MINUTE_MS

export function createEngine({ directory, findNewest, put }: EngineNeeds): AlarmEngine {
  const watches = createWatches()
  const progress = { watches, put }
  let book: RuleBook = { find: () => undefined }
  const rules = () => book
  const stops = createStops({ ...progress, rules })
  const silence: Silence = createSilence({ ...progress, directory, rules, findStopPath: stops.findPath })

  function notePlace({ kind, originator: { nodeId }, place }: Recalled): void {
    if (nodeId === undefined || !place) return
    if (alarmKindDefinition(kind).source.from === 'stopped') stops.notePlace(nodeId, place)
    else silence.notePlace(nodeId, place)
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
        // Of readings that came in the wrong order the older says nothing.
        if ((findNewest(device.id) ?? ts) - ts > TOGETHER_MS) continue
      }
      takeLook(progress, { kind, originator, verdict, at: ts, rule, value, isTimed: false })
    }
  }

  function observeFinding({ deviceId, rule: finding, until }: ObservedFinding, now: number): void {
    const kind = findKindOfFinding(finding)
    const device = directory.findById(deviceId)
    if (!kind || !device || !alarmKindDefinition(kind).devices.includes(device.kind)) return
    const rule = book.find(kind, device, now)
    const verdict = !rule ? 'void' : until === undefined ? 'bad' : 'good'
    takeLook(progress, { kind, originator: { deviceId }, verdict, at: now, rule, isTimed: true })
  }

  /** Judges a watch without a new measure: only whether there is a rule for it still. */
  function reviewOne(watch: Watch, now: number): void {
    const { kind, originator } = watch
    if (alarmKindDefinition(kind).source.from === 'subtree') return
    const device = originator.deviceId === undefined ? undefined : directory.findById(originator.deviceId)
    if (!device || book.find(kind, device, now)) return
    takeLook(progress, { kind, originator, verdict: 'void', at: now, rule: undefined, isTimed: false })
  }

  return {
    useRules(next, now) {
      book = next
      for (const watch of [...watches.list()]) reviewOne(watch, now)
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
    noteStops: stops.noteChange,
    missesStops: stops.isOutdated,
    *listFound() {
      for (const kind of alarmKindNames) {
        const { source } = alarmKindDefinition(kind)
        if (source.from !== 'finding') continue
        for (const { originator } of watches.list(kind)) {
          if (originator.deviceId !== undefined) yield { deviceId: originator.deviceId, rule: source.rule }
        }
      }
    },
    noteUnheard: silence.noteUnheard,
    tick(now) {
      stops.tick(now)
      silence.tick(now)
    },
    review(now) {
      for (const watch of [...watches.list()]) reviewOne(watch, now)
      silence.age(now)
    },
    recall(what, { awayMs, now }) {
      for (const recalled of what) {
        const { kind, originator, phase, since } = recalled
        notePlace(recalled)
        if (phase === 'raised' || !isHeard(kind)) {
          watches.put({ kind, originator, phase, since, judgedAt: since })
          continue
        }
        // While nobody could be heard no delay ran: who came back meanwhile has had no time to say so.
        const begun = Math.max(since, Math.min(now, since + awayMs))
        watches.put({ kind, originator, phase, since: begun, judgedAt: begun, dueAt: begun })
        if (begun !== since) put({ op: 'delay', kind, originator, phase, since: begun })
      }
    },
    noteState(kind, originator, state, now) {
      const watch = watches.find(kind, originator)
      const isActive = state === 'active' || state === 'active-acknowledged'
      if (isActive === isOn(watch)) return
      // Another replica knows more of it than was observed here.
      if (alarmKindDefinition(kind).source.from === 'stopped') stops.noteChange(now)
      if (isActive) {
        watches.put({ kind, originator, phase: 'raised', since: now, judgedAt: now })
        return
      }
      watches.remove(kind, originator)
      silence.noteEnded(kind, originator, now)
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
