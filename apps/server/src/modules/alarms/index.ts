import { alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import { type PollLoop, startPollLoop } from '../../platform/tasks/poll-loop.ts'
import type { Removal } from '../../platform/tasks/pruning.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { addAlarmMetrics } from './alarm-metrics.pg.ts'
import {
  type AlarmListener,
  createAlarmUpdates,
  type RulesListener,
  type SilenceListener,
} from './alarm-updates.ts'
import { createChangeQueue } from './changes/change-queue.ts'
import { removeEndedAlarms } from './changes/ended-alarms.pg.ts'
import { readOpenWatches, readStates } from './changes/open-alarms.pg.ts'
import { writeChanges } from './changes/write-changes.pg.ts'
import {
  createEngine,
  type ObservedFinding,
  type ObservedPresence,
  type ObservedSample,
  type RestoredWatch,
} from './engine/engine.ts'
import { createFindings } from './engine/findings.ts'
import type { ObservedStop } from './engine/stops.ts'
import { toWatchKey } from './engine/watches.ts'
import { type AlarmHandlers, createAlarmHandlers } from './handlers.ts'
import { alarmsMigrations } from './migrations.pg.ts'
import { parseAlarmPayload } from './model/alarm-signal.ts'
import { createDelivery, type DeliveryNeeds } from './notices/deliver.ts'
import { createListDeliveries } from './notices/deliveries.pg.ts'
import {
  claimNotices,
  recordFailed,
  recordSent,
  storeDueNotices,
  sweepNotices,
} from './notices/notices.pg.ts'
import { type Summarize, storeDueReports } from './notices/reports.pg.ts'
import { startSender } from './notices/sender.ts'
import { createTargetCheck, type TargetRules } from './notices/target-address.ts'
import { createTargetService } from './notices/target-service.pg.ts'
import { createTargetTest } from './notices/target-test.pg.ts'
import { createAlarmsReferences } from './references.pg.ts'
import { createRuleBook } from './rules/rule-book.ts'
import { createRuleService } from './rules/rule-service.ts'
import { readRules, readTimeZones } from './rules/rules.pg.ts'
import { createSilenceService } from './rules/silence-service.pg.ts'
import { createAlarmService } from './service.ts'

export type { ObservedFinding } from './engine/engine.ts'
export type { ObservedStop } from './engine/stops.ts'

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
  /** Whether a device is reporting. */
  readonly isPresent: (deviceId: number) => boolean
  /** How long the server received nothing before this process started, ms. */
  readonly findDowntimeMs: () => number
  /** Open findings of the plausibility rules. */
  readonly listFindings: () => Promise<readonly ObservedFinding[]>
  /** Strategies and campaigns that stopped automatically and wait for a user, and faults of irrigation. */
  readonly listStopped: () => Promise<readonly ObservedStop[]>
  /** Figures of a part of the network for reports. */
  readonly summarize: Summarize
  /** Allowed addresses of notices. */
  readonly targetRules: TargetRules
  /** The installation's SMS gateway and SMTP server, and the zone of times in texts. */
  readonly channels: Omit<DeliveryNeeds, 'check'>
}

/** Interface of the module for the composition root. */
export interface Alarms {
  readonly handlers: AlarmHandlers
  /** Accepts stored live readings, without back-fill. */
  observe(samples: readonly ObservedSample[]): void
  /** Accepts devices that became silent or report again. */
  observePresence(changes: readonly ObservedPresence[]): void
  /** Accepts findings that started or ended. */
  observeFindings(findings: readonly ObservedFinding[]): void
  /** Stops of balancing may have changed: they are read within two seconds. */
  recordStops(): void
  /** Calls `listener` with changed alarms, on any replica. Returns a function that stops it. */
  onChanged(listener: AlarmListener): () => void
  /** Calls `listener` when a silence starts or is ended early, on any replica. Returns a function that stops it. */
  onSilence(listener: SilenceListener): () => void
  /** Calls `listener` when rules change, on any replica. Returns a function that stops it. */
  onRules(listener: RulesListener): () => void
  /** Restores the state of the last process. Call it once the presence of devices is known. */
  start(): Promise<void>
  close(): Promise<void>
}

const TICK_MS = 2_000
const REVIEW_MS = MINUTE_MS
const SWEEP_MS = HOUR_MS

export function createAlarms(needs: AlarmsNeeds): Alarms {
  const { db, signals, clock, log, directory } = needs
  const { resolveNodes } = needs.network
  const queue = createChangeQueue({
    write: (changes) => writeChanges(db, changes, clock.now()),
    clock,
    log,
  })
  const engine = createEngine({ directory, findNewest: needs.findNewest, put: queue.put })
  const findings = createFindings({ engine, list: needs.listFindings, clock })
  const updates = createAlarmUpdates({ db, clock })
  const targetCheck = createTargetCheck(needs.targetRules)
  const deliver = createDelivery({ ...needs.channels, check: targetCheck })
  const sender = startSender({
    clock,
    log,
    deliver,
    storeDue: (now) => storeDueNotices(db, now),
    take: (query) => claimNotices(db, query),
    recordSent: (notice, at) => recordSent(db, notice, at),
    recordFailed: (notice, failure, nextAt) => recordFailed(db, notice, failure, nextAt),
  })
  addAlarmMetrics(needs.registry, { db, waiting: queue.size })
  const loops: PollLoop[] = []
  let isClosed = false

  /** Repeats work with a pause before each run. `failure`: message of the log. */
  function repeatEvery(pauseMs: number, work: () => Promise<void>, failure: string): void {
    const onError = (error: unknown) => log.warn({ err: error }, failure)
    loops.push(startPollLoop({ clock, pauseMs, firstMs: pauseMs, work, onError }))
  }

  async function readBook(): Promise<void> {
    const [rules, zones] = await Promise.all([readRules(db), readTimeZones(db)])
    engine.useRules(createRuleBook(rules, zones), clock.now())
  }

  async function reviewStops(): Promise<void> {
    if (!engine.needsStops()) return
    const readAt = clock.now()
    engine.observeStops(await needs.listStopped(), readAt)
  }

  /** Applies the stored states of the alarms of `ids`, or of all alarms, to the engine. */
  async function syncStates(ids: readonly number[] | undefined): Promise<void> {
    // Store the waiting changes first, so that the states are the newest.
    await queue.flush()
    // Alarms that are raised from here on may be missing in the states.
    const unwritten = new Set(queue.listWaiting().map(toWatchKey))
    const raised = (ids ? [] : [...engine.listRaised()]).filter((watch) => !unwritten.has(toWatchKey(watch)))
    const known = await readStates(db, ids)
    // Skip alarms that changed here meanwhile: their signal follows.
    const waiting = new Set(queue.listWaiting().map(toWatchKey))
    for (const { kind, originator, state } of known) {
      if (!waiting.has(toWatchKey({ kind, originator })))
        engine.recordState(kind, originator, state, clock.now())
    }
    if (ids) return
    const open = new Set(known.map(toWatchKey))
    for (const watch of raised) {
      const key = toWatchKey(watch)
      if (!open.has(key) && !waiting.has(key))
        engine.recordState(watch.kind, watch.originator, 'ended', clock.now())
    }
  }

  /** Handles a signal: applies changes by users and other replicas. For changes of this process it has no effect. */
  async function handleSignal(payload: string | undefined): Promise<void> {
    const signal = parseAlarmPayload(payload)
    if (signal.kind === 'rules') {
      updates.notifyOfRules()
      return readBook()
    }
    if (signal.kind === 'silence') updates.notifyOfSilence(signal.path)
    if (signal.kind === 'alarms' || signal.kind === 'everything') {
      const ids = signal.kind === 'alarms' ? signal.ids : undefined
      await syncStates(ids)
      if (signal.kind === 'everything') {
        updates.notifyOfRules()
        await readBook()
      }
      await updates.notifyOfAlarms(ids)
    }
    sender.wake()
  }

  // One after the other, so that listeners get the updates of an alarm in order.
  let inProgress: Promise<void> = Promise.resolve()
  function enqueue(work: () => Promise<void>): void {
    inProgress = inProgress
      .then(() => (isClosed ? undefined : work()))
      .catch((error: unknown) => log.warn({ err: error }, 'could not apply changes of alarms'))
  }
  const stopListening = signals.listen('alarm_changed', (payload) => enqueue(() => handleSignal(payload)))
  const stopPlaced = directory.onPlaced((placed, left) => {
    for (const { id } of left) if (!directory.findById(id)) engine.withdraw(id, clock.now())
    for (const device of placed) engine.move(device)
    const unreported = placed.map(({ id }) => id).filter((id) => !needs.isPresent(id))
    engine.recordUnreported(unreported, clock.now())
  })

  /** Updates restored alarms to the current presence, stops and findings. */
  async function updateRestored(restored: readonly RestoredWatch[]): Promise<void> {
    const now = clock.now()
    const unreported: number[] = []
    for (const { id } of directory.entries()) if (!needs.isPresent(id)) unreported.push(id)
    engine.recordUnreported(unreported, now)
    for (const { kind, originator } of restored) {
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
      listDeliveries: createListDeliveries(db),
    }),
    observe: engine.observe,
    observePresence: engine.observePresence,
    observeFindings: findings.observe,
    recordStops: () => engine.recordStops(clock.now()),
    onChanged: updates.onChanged,
    onSilence: updates.onSilence,
    onRules: updates.onRules,
    async start() {
      await readBook()
      const restored = await readOpenWatches(db)
      engine.restore(restored, { downtimeMs: needs.findDowntimeMs(), now: clock.now() })
      await updateRestored(restored)
      engine.tick(clock.now())
      if (isClosed) return
      const tick = async () => {
        if (engine.needsStops()) enqueue(reviewStops)
        engine.tick(clock.now())
      }
      repeatEvery(TICK_MS, tick, 'could not check the alarms')
      const review = async () => {
        engine.review(clock.now())
        // Repeats the work of a signal that could not be handled.
        enqueue(() => syncStates(undefined))
        // Changed time zones of companies send no signal.
        enqueue(readBook)
        // Signals of balancing may have been lost.
        engine.recordStops(clock.now())
        // Findings of other replicas send no signal.
        enqueue(findings.review)
      }
      repeatEvery(REVIEW_MS, review, 'could not review the alarms')
      const report = async () => {
        const onFailed = (targetId: number, error: unknown) =>
          log.warn({ err: error, targetId }, 'could not make the report of a target; retrying soon')
        if ((await storeDueReports(db, clock.now(), needs.summarize, onFailed)) > 0) sender.wake()
      }
      repeatEvery(REVIEW_MS, report, 'could not make the reports of targets; retrying soon')
      repeatEvery(SWEEP_MS, () => sweepNotices(db, clock.now()), 'could not delete old notices')
    },
    async close() {
      isClosed = true
      stopListening()
      stopPlaced()
      await Promise.all(loops.map((loop) => loop.close()))
      await inProgress
      await sender.close()
      await queue.close()
    },
  }
}

export interface AlarmsDependencies
  extends Pick<ServerResources, 'config' | 'db' | 'signals' | 'clock' | 'log' | 'registry'> {
  readonly devices: { readonly directory: AlarmsNeeds['directory'] }
  readonly network: AlarmsNeeds['network']
  readonly telemetry: {
    readonly states: { instantOf(deviceId: number): number }
    readonly presence: {
      find(deviceId: number): string | undefined
      readonly downtimeMs: AlarmsNeeds['findDowntimeMs']
    }
    readonly listFindings: AlarmsNeeds['listFindings']
  }
  readonly balancing: Pick<AlarmsNeeds, 'listStopped'>
  readonly statistics: Pick<AlarmsNeeds, 'summarize'>
  readonly irrigation: { readonly listFaults: AlarmsNeeds['listStopped'] }
}

/** Alarm rules, alarms, silences and notifications. */
export const alarmsModule = {
  migrations: alarmsMigrations,
  create({ config, devices, telemetry, balancing, irrigation, statistics, ...server }: AlarmsDependencies) {
    const removeAlarms: Removal = (before, limit) => removeEndedAlarms(server.db, before, limit)
    return {
      ...createAlarms({
        ...server,
        directory: devices.directory,
        findNewest: (deviceId) => telemetry.states.instantOf(deviceId) || undefined,
        isPresent: (deviceId) => telemetry.presence.find(deviceId) === 'present',
        findDowntimeMs: telemetry.presence.downtimeMs,
        listFindings: telemetry.listFindings,
        summarize: statistics.summarize,
        listStopped: async () =>
          (await Promise.all([balancing.listStopped(), irrigation.listFaults()])).flat(),
        channels: {
          sms: config.notices.sms,
          mail: config.notices.mail,
          timeZone: config.history.timeZone,
        },
        targetRules: {
          mayBeLocal: config.allowsLocalTargets,
          hosts: config.notices.targetHosts,
          services: [config.databaseUrl, config.clickhouseUrl, ...(config.mqtt.url ? [config.mqtt.url] : [])],
        },
      }),
      references: createAlarmsReferences(server.db),
      removals: { alarms: removeAlarms },
    }
  },
} satisfies ServerModule
