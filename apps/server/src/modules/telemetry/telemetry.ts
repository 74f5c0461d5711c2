import type { DeviceState } from '@isotherm/contract/devices'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { servesTenant } from '../../platform/cell/cell.ts'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { Refusal } from '../../platform/mqtt/broker-port.ts'
import { createSteadyClock } from '../../platform/tasks/steady-clock.ts'
import type { UnregisteredReport } from '../devices/index.ts'
import { type Countings, createCountings } from './counts/countings.ts'
import { createBirthAnswers } from './delivery/birth-answers.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createTelemetryHandlers, type TelemetryHandlers } from './handlers.ts'
import { createFileReadings, type FileReadings } from './intake/file-readings.ts'
import { createIngest, type Ingest, type ReplyHandler } from './intake/ingest.ts'
import { type CommittedListener, createLiveReadings } from './intake/live-readings.ts'
import { createSendReadings } from './intake/send-readings.ts'
import { addBacklogGauge, createTelemetryMetrics } from './intake/telemetry-metrics.ts'
import { createTimeFactor } from './intake/time-factor.ts'
import { createLatestValues, type LatestValues } from './latest/latest-values.ts'
import { type StoredMessage, toRun } from './messages/message-key.ts'
import { createOwnReads, DEDUPE_WINDOW_MS } from './own-reads.ts'
import { createPresenceWatch, type PresenceWatch } from './presence/presence-watch.ts'
import type { FindingWriter } from './quality/finding-writer.ts'
import { createReadingChecks } from './quality/reading-checks.ts'
import { insertQuarantine } from './quarantine/insert-quarantine.ch.ts'
import { createQuarantineWriter } from './quarantine/quarantine-writer.ts'
import { toDeviceState } from './queries/latest-states.ts'
import { createRawFrames } from './raw/raw-frames.ts'
import { createReplicaReceiver } from './replicas/replica-receiver.ts'
import { createReplicaSender } from './replicas/replica-sender.ts'
import { createNumbersPart } from './snapshots/message-numbers.ch.ts'
import { createValuesPart } from './snapshots/newest-values.ch.ts'
import { createSnapshotWriter } from './snapshots/snapshot-writer.ts'
import { createGroupCommit } from './store/group-commit.ts'
import { findStoredMessages, findWithReadings, insertMessages } from './store/readings.ch.ts'
import { createRefusedMessages } from './store/refused-messages.ch.ts'
import { findStoredValues } from './store/stored-values.ch.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

/** Newest values for the live push. */
export interface LiveStates {
  find(deviceId: number): DeviceState | undefined
  /** Version of a device's last change; 0 if it never reported. */
  versionOf(deviceId: number): number
  version(): number
}

export interface Telemetry extends Countings {
  readonly handlers: TelemetryHandlers & HandlersOf<'sendReadings'>
  readonly states: LiveStates & Pick<LatestValues, 'findReading' | 'instantOf'>
  /** For the broker: accepts a message, see FieldHandlers. */
  readonly receive: Ingest
  /** Readings from files. */
  readonly files: FileReadings
  /** For the broker: counts what it refused, and stores foreign topics in the quarantine. */
  refused(refusal: Refusal): void
  /** For the broker: another replica reports what it stored. */
  readonly receiveReplicaMessage: (body: Uint8Array) => void
  /** For the broker: reports of other replicas since an instant (Unix ms) may be lost. */
  readonly recordReplicaGap: (since?: number) => void
  /** Which devices report, and events when one starts or stops reporting. */
  readonly presence: Pick<PresenceWatch, 'find' | 'onChanged' | 'downtimeMs'>
  /** Notifies of findings of the plausibility rules after they are stored. */
  readonly onFinding: FindingWriter['onChanged']
  /** Sets the handler of device replies. Until then replies are not acknowledged. */
  onReply(handle: ReplyHandler): void
  onCommitted(listener: CommittedListener): void
  /** Sets the listener for reports of unregistered devices. */
  onUnregistered(listener: (report: UnregisteredReport) => void): void
  /** One of the devices that has readings of any age; undefined if none has. */
  findWithReadings(deviceIds: readonly number[]): Promise<number | undefined>
  timeFactor(): number | undefined
  isHealthy(): boolean
  /** Reads the state of memory from the stores; before the broker starts. */
  restore(): Promise<void>
  /** Stores the accepted messages, as far as possible within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Greatest age of a newest value that is read at start. */
const LATEST_WINDOW_MS = 3 * DAY_MS
/**
 * Time before a snapshot whose readings are read at start as well: a message may arrive some time before it is stored,
 * and a replica may store one shortly before it is killed (docs/specs/watermark.md).
 */
const SNAPSHOT_MARGIN_MS = 10 * MINUTE_MS

/** The telemetry module: from a message of the field to durable readings and newest values. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { broker, clickhouse, clock, directory, log, cell, owners } = options
  const { findById } = directory
  const reads = createOwnReads({ clickhouse, directory, cell, clock })
  /** Sends at QoS 0 to a gateway: the next message replaces a lost one. */
  const publish = (topic: string, payload: string) => broker.publish(topic, payload, 0)

  // State of this server: messages, devices, clocks.
  const metrics = createTelemetryMetrics(options.registry)
  const timeFactor = createTimeFactor(options.mode)
  const latest = createLatestValues()
  const steady = createSteadyClock(clock)
  const presence = createPresenceWatch({ clock, directory })
  const sender = createReplicaSender(broker.sendToReplicas)
  const deliveries = createDeliveries({
    clock,
    owners,
    publish,
    findGateway: findById,
    gapsOpened: (count) => metrics.gapsOpened.inc(count),
    gapsClosed: (count) => metrics.gapsClosed.inc(count),
  })
  const frames = createRawFrames({
    clickhouse,
    readNumbers: (take) => reads.readNumbers('frames', take),
    readStored: reads.readStoredFrames,
    clock,
    log,
    directory,
    publish,
    stored: (count) => metrics.rawFrames.inc(count),
  })
  const numbers = createNumbersPart({
    client: clickhouse,
    of: 'readings',
    list: deliveries.seen.listRuns,
    now: clock.now,
  })
  const values = createValuesPart(clickhouse, latest)
  const snapshots = createSnapshotWriter({
    clock,
    log,
    parts: [numbers, frames.numbers, values],
    oldestReceived() {
      const [readings = Number.POSITIVE_INFINITY, raw = Number.POSITIVE_INFINITY] = [
        commit.oldestReceived(),
        frames.writer.oldestReceived(),
      ]
      return Math.min(readings, raw)
    },
    writeMark: reads.insertMark,
  })
  const checks = createReadingChecks({
    ...options,
    steady,
    publish,
    timeFactor: timeFactor.find,
    clockChanged: (event) => sender.sendClocks([event]),
  })

  // Effects of durable readings.
  const live = createLiveReadings({
    directory,
    presence,
    latest,
    toleratedOffsetOf: checks.clocks.toleratedOffsetOf,
  })
  const receiver = createReplicaReceiver({
    clock,
    log,
    sender,
    findDevice: findById,
    clocks: checks.clocks,
    readStored: reads.readStored,
    readStoredFrames: reads.readStoredFrames,
    readLatest: reads.readLatest,
    recordDone: deliveries.recordDoneElsewhere,
    recordFrames: frames.note,
    takeDueGaps: () => [deliveries.takeDueGap(), frames.takeDueGap()],
    applyReadings(messages) {
      for (const message of messages) deliveries.recordDoneElsewhere(toRun(message))
      for (const message of messages) if (message.live) checks.learn(message.samples)
      live.apply(messages, false)
    },
    applyLatest: live.applyStored,
  })
  const commit = createGroupCommit({
    insert: (messages, attempt) => insertMessages(clickhouse, messages, attempt),
    findStored: (messages, attempt) => findStoredMessages(clickhouse, messages, attempt),
    clock,
    log,
    // On a cluster each part costs several steps of Keeper.
    ...(clickhouse.cluster && {
      countWriters: () => 1 + (broker.replicas?.listOthers(MINUTE_MS).length ?? 0),
    }),
    committed(messages, { rows, durationMs }) {
      for (const message of messages) deliveries.recordDone(message)
      metrics.points.inc(rows)
      metrics.commitRows.observe(rows)
      metrics.commitSeconds.observe(durationMs / 1000)
      live.apply(messages, true)
      sender.sendReadings(messages)
    },
  })
  addBacklogGauge(options.registry, commit.backlogRows)

  // Intake of messages.
  const births = createBirthAnswers({
    owners,
    clock,
    findGateway: findById,
    answer(gateway, isOnline) {
      deliveries.repeatWatermark(gateway.id)
      frames.sendWatermark(gateway.id)
      if (isOnline) checks.clocks.greet(gateway)
    },
  })
  const refusedMessages = createRefusedMessages(clickhouse, clock)
  const quarantine = createQuarantineWriter({
    clock,
    log,
    insert: (entries) => insertQuarantine(clickhouse, entries),
    counted: (reason) => metrics.quarantined.inc({ reason }),
  })
  async function recordRefused(message: StoredMessage): Promise<void> {
    await refusedMessages.note(message, 'readings')
    deliveries.recordDone(message)
    sender.sendRefused(message)
  }
  let handleReply: ReplyHandler = () => Promise.reject(new Error('replies have no handler yet'))
  let recordUnregistered: (report: UnregisteredReport) => void = () => undefined
  const receive = createIngest({
    clock,
    steady,
    serves: (tenant) => servesTenant(cell, tenant),
    directory,
    commit,
    metrics,
    quarantine,
    recordRefused,
    isSeen: deliveries.seen.has,
    recordGateway: presence.recordGateway,
    retentionMs: options.retentionDays === 0 ? Number.POSITIVE_INFINITY : options.retentionDays * DAY_MS,
    repeated: deliveries.repeatWatermark,
    judge: checks.judge,
    clocks: checks.clocks,
    frames: frames.writer,
    recordRefusedFrames: (message) => refusedMessages.note(message, 'frames'),
    framesDone(message) {
      frames.note(toRun(message))
      frames.sendWatermark(message.gatewayId, message.boot)
      sender.sendFrames(message)
    },
    handleBirth(gateway, birth) {
      timeFactor.note(birth)
      presence.recordLink(gateway, birth)
      births.take(gateway, birth.online)
      if (birth.online) deliveries.retryGaps(gateway.id)
    },
    handleReply: (message) => handleReply(message),
    unregistered: (report) => recordUnregistered(report),
  })

  async function restoreNumbers(since: number): Promise<void> {
    await reads.readNumbers('readings', deliveries.restore)
    await reads.readStored(since, deliveries.restore)
  }

  /** Without a snapshot, `receivedSince` is undefined. */
  async function restoreValues(receivedSince: number | undefined): Promise<void> {
    const since = clock.now() - LATEST_WINDOW_MS
    if (receivedSince !== undefined) {
      await reads.readNewestValues(since, live.restore)
      values.skipPresent()
    }
    await reads.readLatest({ since, receivedSince }, live.restore)
  }

  // Queries of users.
  const { ordered } = directory
  const countings = createCountings({ directory, ordered, latest, presence, clock })
  return {
    ...countings,
    receive,
    files: createFileReadings({
      ...options,
      commit,
      judge: checks.judge,
      findStored: (keys) => findStoredValues(options.reading, keys),
    }),
    presence,
    handlers: {
      ...createTelemetryHandlers({ ...options, ...countings, latest, presence, ordered }),
      sendReadings: createSendReadings({
        clock,
        receive,
        getGateway: options.getGateway,
        findAck: deliveries.seen.findWatermark,
      }),
    },
    states: {
      find(deviceId) {
        const state = latest.find(deviceId)
        return state && toDeviceState(state)
      },
      instantOf: latest.instantOf,
      versionOf: latest.versionOf,
      findReading: latest.findReading,
      version: latest.version,
    },
    refused({ reason, detail, tenant, gateway }) {
      metrics.refused.inc({ reason })
      if (reason !== 'publish-denied') return
      const store = quarantine.count({
        received: clock.now(),
        topic: detail,
        tenant,
        gateway,
        reason: 'foreign-topic',
        bytes: new Uint8Array(),
      })
      // The broker closes the connection without waiting for this. The writer logs a failure.
      store().catch(() => undefined)
    },
    onFinding: checks.findings.onChanged,
    onReply(handle) {
      handleReply = handle
    },
    onCommitted: live.onCommitted,
    onUnregistered(listener) {
      recordUnregistered = listener
    },
    receiveReplicaMessage: receiver.receive,
    recordReplicaGap: receiver.recordGap,
    findWithReadings: (deviceIds) => findWithReadings(clickhouse, deviceIds),
    timeFactor: timeFactor.find,
    isHealthy: commit.isHealthy,
    async restore() {
      const now = clock.now()
      const mark = await reads.readMark()
      // A mark of the future was written by a wrong clock; those of replicas differ by less than a minute.
      const isUsable = mark !== undefined && mark < now + MINUTE_MS
      const receivedSince = isUsable ? mark - SNAPSHOT_MARGIN_MS : undefined
      const storedSince = receivedSince ?? now - DEDUPE_WINDOW_MS
      await Promise.all([
        frames.restore(storedSince),
        restoreNumbers(storedSince),
        restoreValues(receivedSince),
      ])
      await checks.restore()
      snapshots.start()
      presence.start()
      if (broker.sendToReplicas) receiver.watch()
      for (const { id } of directory.entries())
        latest.mark([{ deviceId: id, presence: presence.find(id) ?? 'present' }])
      // Sort all devices now, so that the first call does not wait for it.
      await ordered.read()
    },
    async close(graceMs) {
      await commit.close(graceMs)
      deliveries.close()
      frames.close()
      await checks.findings.close()
      presence.close()
      receiver.close()
      await snapshots.close()
    },
  }
}
