import type { DeviceState } from '@isotherm/contract/devices'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { Refusal } from '../../platform/mqtt/broker-port.ts'
import { type Countings, createCountings } from './counts/countings.ts'
import { createNodeHealth } from './counts/node-health.ts'
import { createOrderedDevices } from './counts/ordered-devices.ts'
import { createAckWatermarks } from './delivery/ack-watermarks.ts'
import { createGapWatch } from './delivery/gap-watch.ts'
import { createSeenMessages } from './delivery/seen-messages.ts'
import { createTelemetryHandlers, type TelemetryHandlers } from './handlers.ts'
import { createBirths } from './intake/births.ts'
import { createIngest, type Ingest, type ReplyHandler } from './intake/ingest.ts'
import { createTelemetryMetrics } from './intake/telemetry-metrics.ts'
import { createLatestValues } from './latest/latest-values.ts'
import { type StoredMessage, type StoredRun, toRun } from './messages/message-key.ts'
import type { ReadingMessage, Sample } from './messages/sample.ts'
import { createPresenceWatch, type PresenceWatch } from './presence/presence-watch.ts'
import type { Findings } from './quality/finding-writer.ts'
import { createListFindings } from './quality/list-findings.ts'
import { createReadingChecks } from './quality/reading-checks.ts'
import { insertQuarantine } from './quarantine/insert-quarantine.ch.ts'
import { createListQuarantine } from './quarantine/quarantine-list.ch.ts'
import { createQuarantineWriter } from './quarantine/quarantine-writer.ts'
import { createTelemetryService, toDeviceState } from './queries/latest-states.ts'
import { createNetworkFigures } from './queries/network-figures.ts'
import { createRealDevicesService } from './queries/real-devices.ts'
import { createRawFrames } from './raw/raw-frames.ts'
import { createListRawFrames } from './raw/raw-list.ch.ts'
import { createReplicas } from './replicas/replicas.ts'
import { createGroupCommit } from './store/group-commit.ts'
import { createReadingStore } from './store/reading-store.ch.ts'
import { createRefusedMessages } from './store/refused-messages.ch.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

/** Live samples that just became durable, and which devices' newest values they changed. */
export interface CommittedSamples {
  readonly samples: readonly Sample[]
  readonly changed: ReadonlySet<number>
  /** Whether this process stored them, not another replica: each is told of by exactly one as its own. */
  readonly own: boolean
}

/** Newest values as the live hub sees them. */
export interface LiveStates {
  find(deviceId: number): (DeviceState & { readonly version: number }) | undefined
  version(): number
}

export interface Telemetry extends Countings {
  readonly handlers: TelemetryHandlers
  readonly states: LiveStates
  /** For the broker: takes a message, see BrokerHandlers. */
  readonly receive: Ingest
  /** For the broker: counts what it turned away and keeps foreign topics in quarantine. */
  refused(refusal: Refusal): void
  /** For the broker: what another replica stored, and that some of it may not have been heard. */
  readonly hearReplica: (body: Uint8Array) => void
  readonly missedReplica: (since?: number) => void
  /** Which devices speak, and who begins or ceases to. */
  readonly presence: Pick<PresenceWatch, 'find' | 'onChanged' | 'awayMs'>
  /** What readings show by the rules of plausibility, once it is kept. */
  readonly onFinding: Findings['onChanged']
  /** Who takes devices' replies; until then they stay unacknowledged. */
  onReply(handle: ReplyHandler): void
  onCommitted(heard: (committed: CommittedSamples) => void): void
  /** One of the devices that has readings, of whatever age; undefined when none has any. */
  findHeard(deviceIds: readonly number[]): Promise<number | undefined>
  timeFactor(): number | undefined
  isHealthy(): boolean
  /** Reads back what a running server holds in memory; before the broker starts. */
  restore(): Promise<void>
  /** Stores what was taken, as far as it goes within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/**
 * How long a message may come again and still be known (protocols.md 4.2). A boot that began before that has
 * no watermark after a restart of the server, for its first numbers are not read back; its node hears of no
 * more durable messages until its next boot, and what it sends again is acknowledged as ever.
 */
const DEDUPE_WINDOW_MS = 48 * HOUR_MS
/** How far back newest values are looked for at start. */
const LATEST_WINDOW_MS = 3 * DAY_MS

/** The telemetry module: from a message of the field to durable readings and newest values. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { clock, log, directory } = options
  /** Says something to a node that is made up for when it is lost. */
  const publish = (topic: string, payload: string) => options.broker.publish(topic, payload, 0)
  const store = createReadingStore(options.clickhouse)
  const seen = createSeenMessages()
  const latest = createLatestValues()
  const listeners: ((committed: CommittedSamples) => void)[] = []
  let handleReply: ReplyHandler = () => Promise.reject(new Error('replies are not taken yet'))

  const metrics = createTelemetryMetrics(options.registry, () => commit.backlogRows())
  const watermarks = createAckWatermarks({ clock, seen, publish, findNode: directory.findById })
  const frames = createRawFrames({
    clickhouse: options.clickhouse,
    clock,
    log,
    directory,
    publish,
    stored: (count) => metrics.rawFrames.inc(count),
  })
  const presence = createPresenceWatch({ clock, directory })
  presence.onChanged((changes) => {
    const changed = latest.mark(changes)
    if (changed.size > 0) for (const heard of listeners) heard({ samples: [], changed, own: false })
  })
  const births = createBirths(options.mode, (node, birth) => {
    watermarks.mark(node.id)
    frames.tellNode(node.id)
    presence.noteLink(node, birth)
    if (!birth.online) return
    checks.clocks.greet(node)
    gaps.greet(node.id)
  })

  const checks = createReadingChecks({
    clock,
    log,
    directory,
    timeFactor: births.timeFactor,
    store: options.findings,
    clockChanged: (news) => replicas.tellClocks([news]),
    publish,
  })

  function applyLive(messages: readonly ReadingMessage[], own: boolean): void {
    const samples = messages.flatMap((message) => (message.live ? message.samples : []))
    for (const message of messages) {
      const node = own ? undefined : directory.findById(message.node)
      if (node) presence.hearNode(node)
    }
    for (const message of messages) {
      if (!message.live) continue
      const offsetMs = checks.clocks.toleratedOf(message.node)
      for (const { device, ts } of message.samples) presence.hear(device, ts + offsetMs)
    }
    presence.flush()
    const changed = latest.apply(
      samples.map(({ device, ts, quality, values }) => ({ deviceId: device.id, ts, quality, values })),
    )
    if (samples.length > 0) for (const heard of listeners) heard({ samples, changed, own })
  }

  /** Of what is refused there is nothing to store; it counts as done with, for the node may forget it. */
  function noteRefused({ node, boot, seq }: StoredMessage): void {
    seen.add(node, boot, seq)
    watermarks.mark(node)
    gaps.note(node)
  }

  /** What another replica, or the store, knows to be done with is so here. */
  function takeStored({ node, boot, from, to }: StoredRun): void {
    seen.addRun(node, boot, from, to)
    watermarks.noteOther(node)
  }

  const replicas = createReplicas({
    store,
    clock,
    log,
    takeStored,
    findDevice: directory.findById,
    tell: options.broker.tell,
    clocks: checks.clocks,
    takeFrames: frames.note,
    readStoredFrames: frames.readStored,
    takeRefused: (message) => takeStored(toRun(message)),
    take(messages) {
      for (const message of messages) takeStored(toRun(message))
      for (const { live, samples } of messages) if (live) checks.learn(samples)
      applyLive(messages, false)
    },
    takeLatest(update) {
      const device = directory.findById(update.deviceId)
      if (device) presence.hear(device, update.ts)
      const changed = latest.apply([update])
      if (changed.size > 0) for (const heard of listeners) heard({ samples: [], changed, own: false })
    },
  })

  const gaps = createGapWatch({
    clock,
    seen,
    findNode: directory.findById,
    publish,
    opened: (count) => metrics.gapsOpened.inc(count),
    closed: (count) => metrics.gapsClosed.inc(count),
  })

  const commit = createGroupCommit({
    store,
    clock,
    log,
    committed(messages, { rows, durationMs }) {
      for (const { node, boot, seq } of messages) {
        seen.add(node, boot, seq)
        watermarks.mark(node)
        gaps.note(node)
      }
      metrics.points.inc(rows)
      metrics.commitRows.observe(rows)
      metrics.commitSeconds.observe(durationMs / 1000)
      applyLive(messages, true)
      replicas.tell(messages)
    },
  })

  const refused = createRefusedMessages(options.clickhouse, clock)
  const quarantine = createQuarantineWriter({
    clock,
    log,
    insert: (entries) => insertQuarantine(options.clickhouse, entries),
    counted: (reason) => metrics.quarantined.inc({ reason }),
  })
  const service = createTelemetryService({ ...options, latest })
  const ordered = createOrderedDevices(directory)
  const real = createRealDevicesService({ ...options, latest, ordered })
  const countings = createCountings({ directory, ordered, latest, presence, clock })
  return {
    handlers: createTelemetryHandlers(
      service,
      real,
      createNodeHealth(options.network, countings.openCounts),
      createNetworkFigures({ ...options, ...countings, latest, presence }),
      createListFindings(options.network, options.findings),
      createListQuarantine(options.reading, directory),
      createListRawFrames(options.reading, directory, clock),
    ),
    states: {
      find(deviceId) {
        const state = latest.find(deviceId)
        return state && { ...toDeviceState(state), version: state.version }
      },
      version: latest.version,
    },
    ...countings,
    receive: createIngest({
      clock,
      directory,
      seen,
      commit,
      births,
      metrics,
      quarantine,
      heardOf: presence.hearNode,
      keptMs: options.keptDays === 0 ? Number.POSITIVE_INFINITY : options.keptDays * DAY_MS,
      async keptNoMore(message) {
        await refused.note(message, 'readings')
        noteRefused(message)
        replicas.tellRefused(message)
      },
      repeated: watermarks.mark,
      judge: checks.judge,
      clocks: checks.clocks,
      frames: frames.writer,
      framesRefused: (message) => refused.note(message, 'frames'),
      framesKept(message) {
        frames.note(toRun(message))
        frames.tellNode(message.node)
        replicas.tellFrames(message)
      },
      handleReply: (message) => handleReply(message),
    }),
    refused({ reason, detail, node }) {
      metrics.refused.inc({ reason })
      if (reason !== 'publish-denied') return
      const reject = {
        received: clock.now(),
        topic: detail,
        node,
        reason: 'foreign-topic',
        bytes: new Uint8Array(),
      } as const
      // Nobody waits for it: the client is already being shown the door; a failure is logged by the writer.
      const keep = quarantine.count(reject)
      keep().catch(() => undefined)
    },
    presence,
    onFinding: checks.findings.onChanged,
    onReply(handle) {
      handleReply = handle
    },
    onCommitted(heard) {
      listeners.push(heard)
    },
    hearReplica: replicas.hear,
    missedReplica: replicas.missed,
    findHeard: store.findHeard,
    timeFactor: births.timeFactor,
    isHealthy: commit.isHealthy,
    async restore() {
      const now = clock.now()
      await frames.readStored(now - DEDUPE_WINDOW_MS, frames.note)
      await store.readStored(now - DEDUPE_WINDOW_MS, takeStored)
      await store.readLatest({ since: now - LATEST_WINDOW_MS }, (update) => {
        latest.apply([update])
        const device = directory.findById(update.deviceId)
        if (device) presence.hear(device, update.ts)
      })
      await checks.restore()
      presence.start()
      for (const { id } of directory.entries())
        latest.mark([{ deviceId: id, presence: presence.find(id) ?? 'present' }])
      // So that who asks first of all devices does not wait for them to be put in order.
      await ordered.read()
    },
    async close(graceMs) {
      await commit.close(graceMs)
      watermarks.close()
      frames.close()
      gaps.close()
      checks.findings.close()
      presence.close()
      replicas.close()
    },
  }
}
