import { alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Registry } from 'prom-client'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import {
  type AlarmNewsListener,
  createAlarmNews,
  type RulesListener,
  type SilenceListener,
} from './alarm-events.ts'
import { addAlarmMetrics } from './alarm-metrics.pg.ts'
import { createJournal } from './changes/change-queue.ts'
import { readRecalled, readStates } from './changes/open-alarms.pg.ts'
import { writeChanges } from './changes/write-changes.pg.ts'
import {
  createEngine,
  type ObservedFinding,
  type ObservedPresence,
  type ObservedSample,
  type Recalled,
} from './engine/engine.ts'
import { createFindings } from './engine/findings.ts'
import type { ObservedStop } from './engine/stops.ts'
import { toWatchKey } from './engine/watches.ts'
import { type AlarmHandlers, createAlarmHandlers } from './handlers.ts'
import { parseAlarmPayload } from './model/alarm-signal.ts'
import { decideNotices, noteFailed, noteSent, sweepNotices, takeNotices } from './notices/notices.pg.ts'
import { startSender } from './notices/sender.ts'
import { createTargetCheck, type TargetRules } from './notices/target-address.ts'
import { createTargetService } from './notices/target-service.pg.ts'
import { createTargetTest } from './notices/target-test.pg.ts'
import { createWebhook } from './notices/webhook.ts'
import { createRuleBook } from './rules/rule-book.ts'
import { createRuleService } from './rules/rule-service.ts'
import { readRules, readTimeZones } from './rules/rules.pg.ts'
import { createSilenceService } from './rules/silence-service.pg.ts'
import { createAlarmService } from './service.ts'

export { removeEndedAlarms } from './changes/ended-alarms.pg.ts'
export type { ObservedFinding, ObservedPresence, ObservedSample } from './engine/engine.ts'
export type { ObservedStop } from './engine/stops.ts'
export { alarmsMigrations } from './migrations.pg.ts'
export { createAlarmsReferences } from './references.pg.ts'

export interface AlarmsNeeds {
  readonly db: Database
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly registry: Registry
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById' | 'countBelow' | 'onPlaced'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  /** Instant of the newest reading of a device, Unix ms. */
  readonly findNewest: (deviceId: number) => number | undefined
  /** Whether a device speaks. */
  readonly isPresent: (deviceId: number) => boolean
  /** How long nobody could be heard before this process began to hear, ms. */
  readonly findAwayMs: () => number
  /** What readings show at present by the rules of plausibility. */
  readonly listFindings: () => Promise<readonly ObservedFinding[]>
  /** What of balancing stopped by itself and waits for people. */
  readonly listStopped: () => Promise<readonly ObservedStop[]>
  /** Where messages of alarms may go. */
  readonly telling: TargetRules
}

/** Everything alarms offer to the composition root. */
export interface Alarms {
  readonly handlers: AlarmHandlers
  /** Live readings that became durable; back-fill is none of them. */
  observe(samples: readonly ObservedSample[]): void
  /** Who fell silent, or speaks again. */
  observePresence(changes: readonly ObservedPresence[]): void
  /** What live readings began or ceased to show. */
  observeFindings(findings: readonly ObservedFinding[]): void
  /** Something of balancing may have stopped, or no longer be: it is looked at within two seconds. */
  noteStops(): void
  /** Calls `heard` with alarms that changed, by whomever and on whichever replica. Returns how to stop. */
  onChanged(heard: AlarmNewsListener): () => void
  /** Calls `heard` when a silence began, or was ended before its time, on whichever replica. Returns how to stop. */
  onSilence(heard: SilenceListener): () => void
  /** Calls `heard` when rules changed, on whichever replica. Returns how to stop. */
  onRules(heard: RulesListener): () => void
  /** Goes on where the last process was; once it is known who speaks. */
  start(): Promise<void>
  close(): Promise<void>
}

const LOOK_MS = 2_000
const REVIEW_MS = MINUTE_MS
const SWEEP_MS = HOUR_MS

export function createAlarms(needs: AlarmsNeeds): Alarms {
  const { db, signals, clock, log, directory } = needs
  const { resolveNodes } = needs.network
  const journal = createJournal({ write: (changes) => writeChanges(db, changes, clock.now()), clock, log })
  const engine = createEngine({ directory, findNewest: needs.findNewest, put: journal.put })
  const findings = createFindings({ engine, list: needs.listFindings, clock })
  const news = createAlarmNews({ db, clock })
  const targetCheck = createTargetCheck(needs.telling)
  const deliver = createWebhook(targetCheck)
  const sender = startSender({
    clock,
    log,
    deliver,
    decide: (now) => decideNotices(db, now),
    take: (query) => takeNotices(db, query),
    noteSent: (notice, at) => noteSent(db, notice, at),
    noteFailed: (notice, fault, nextAt) => noteFailed(db, notice, fault, nextAt),
  })
  addAlarmMetrics(needs.registry, { db, waiting: journal.size })
  const timers = new Map<string, Timer>()
  let isClosed = false

  function every(name: string, ms: number, work: () => void): void {
    if (isClosed) return
    const again = (): void => {
      work()
      every(name, ms, work)
    }
    timers.set(name, clock.setTimeout(again, ms))
  }

  async function readBook(): Promise<void> {
    const [rules, zones] = await Promise.all([readRules(db), readTimeZones(db)])
    engine.useRules(createRuleBook(rules, zones), clock.now())
  }

  async function reviewStops(): Promise<void> {
    if (!engine.missesStops()) return
    const readAt = clock.now()
    engine.observeStops(await needs.listStopped(), readAt)
  }

  /** Takes in how alarms are by now: those of `ids`, or all. */
  async function takeIn(ids: readonly number[] | undefined): Promise<void> {
    // What is under way here is put down first, so that what is read is the newest.
    await journal.flush()
    // What is raised from here on, and may be put down before the answer is here, is not in what is read.
    const unwritten = journal.listWaiting()
    const raised = (ids ? [] : [...engine.listRaised()]).filter((watch) => !unwritten.has(toWatchKey(watch)))
    const known = await readStates(db, ids)
    // Of what changed here in between there is a signal to come.
    const waiting = journal.listWaiting()
    for (const { kind, originator, state } of known) {
      if (!waiting.has(toWatchKey({ kind, originator })))
        engine.noteState(kind, originator, state, clock.now())
    }
    if (ids) return
    const open = new Set(known.map(toWatchKey))
    for (const watch of raised) {
      const key = toWatchKey(watch)
      if (!open.has(key) && !waiting.has(key))
        engine.noteState(watch.kind, watch.originator, 'ended', clock.now())
    }
  }

  /** What people and other replicas did is taken in; of what was put down here it is no news. */
  async function hear(payload: string | undefined): Promise<void> {
    const signal = parseAlarmPayload(payload)
    if (signal.kind === 'rules') {
      news.tellRules()
      return readBook()
    }
    if (signal.kind === 'silence') news.tellSilence(signal.path)
    if (signal.kind === 'alarms' || signal.kind === 'everything') {
      const ids = signal.kind === 'alarms' ? signal.ids : undefined
      await takeIn(ids)
      if (signal.kind === 'everything') {
        news.tellRules()
        await readBook()
      }
      await news.tell(ids)
    }
    sender.wake()
  }

  // One after the other, so that listeners hear of an alarm in its order.
  let hearing: Promise<void> = Promise.resolve()
  function inTurn(work: () => Promise<void>): void {
    hearing = hearing
      .then(() => (isClosed ? undefined : work()))
      .catch((error: unknown) => log.warn({ err: error }, 'could not take in what changed of alarms'))
  }
  const stopListening = signals.listen('alarm_changed', (payload) => inTurn(() => hear(payload)))
  const stopPlaced = directory.onPlaced((placed, left) => {
    for (const { id } of left) if (!directory.findById(id)) engine.withdraw(id, clock.now())
    for (const device of placed) engine.move(device)
    const unheard = placed.map(({ id }) => id).filter((id) => !needs.isPresent(id))
    engine.noteUnheard(unheard, clock.now())
  })

  /** Brings what is recalled up to what is so by now. */
  async function takeUp(recalled: readonly Recalled[]): Promise<void> {
    const now = clock.now()
    const unheard: number[] = []
    for (const { id } of directory.entries()) if (!needs.isPresent(id)) unheard.push(id)
    engine.noteUnheard(unheard, now)
    for (const { kind, originator } of recalled) {
      const { deviceId } = originator
      const { source } = alarmKindDefinition(kind)
      if (deviceId === undefined) continue
      if (source.from === 'presence' && needs.isPresent(deviceId)) {
        engine.observePresence([{ deviceId, at: now, presence: 'present' }])
      }
    }
    await reviewStops()
    await findings.review()
  }

  return {
    handlers: createAlarmHandlers({
      alarms: createAlarmService(db, resolveNodes, clock),
      rules: createRuleService(db, resolveNodes),
      silences: createSilenceService(db, resolveNodes, clock),
      targets: createTargetService(db, resolveNodes, targetCheck),
      testTarget: createTargetTest({ db, deliver, clock }),
    }),
    observe: engine.observe,
    observePresence: engine.observePresence,
    observeFindings: findings.observe,
    noteStops: () => engine.noteStops(clock.now()),
    onChanged: news.onChanged,
    onSilence: news.onSilence,
    onRules: news.onRules,
    async start() {
      await readBook()
      const recalled = await readRecalled(db)
      engine.recall(recalled, { awayMs: needs.findAwayMs(), now: clock.now() })
      await takeUp(recalled)
      engine.tick(clock.now())
      every('look', LOOK_MS, () => {
        if (engine.missesStops()) inTurn(reviewStops)
        engine.tick(clock.now())
      })
      every('review', REVIEW_MS, () => {
        engine.review(clock.now())
        // A signal that could not be taken in is not sent again.
        inTurn(() => takeIn(undefined))
        // Of companies' time zones there is no signal here.
        inTurn(readBook)
        // News of balancing may have been missed.
        engine.noteStops(clock.now())
        // Of what another replica noted nobody is told here.
        inTurn(findings.review)
      })
      every('sweep', SWEEP_MS, () => {
        sweepNotices(db, clock.now()).catch((err: unknown) => log.warn({ err }, 'could not sweep notices'))
      })
    },
    async close() {
      isClosed = true
      stopListening()
      stopPlaced()
      for (const timer of timers.values()) timer.cancel()
      await hearing
      await sender.close()
      await journal.close()
    },
  }
}
