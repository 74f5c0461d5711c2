import {
  type BirthMessage,
  birthMessage,
  MAX_MESSAGE_BYTES,
  parseUpTopic,
  type UpChannel,
  type UpTopic,
} from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import type { IncomingMessage } from '../../../platform/mqtt/broker-port.ts'
import type { SteadyClock } from '../../../platform/tasks/steady-clock.ts'
import type { DeviceDirectory, DirectoryEntry, UnregisteredReport } from '../../devices/index.ts'
import type { SeenMessages } from '../delivery/seen-messages.ts'
import { type StoredMessage, toMessageKey } from '../messages/message-key.ts'
import { parseReadings, type RejectedPart, type RejectReason, readJson } from '../messages/parse-message.ts'
import type { Sample } from '../messages/sample.ts'
import { readUnknownChild, toUnregisteredReports } from '../messages/unregistered.ts'
import type { GatewayClocks } from '../quality/gateway-clocks.ts'
import type { QuarantineWriter, StoreReject } from '../quarantine/quarantine-writer.ts'
import { parseFrames } from '../raw/raw-frame.ts'
import type { RawWriter } from '../raw/raw-writer.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import type { GroupCommit } from '../store/group-commit.ts'
import type { TelemetryMetrics } from './telemetry-metrics.ts'

/** A message of a registered gateway. */
export interface GatewayMessage {
  readonly topic: UpTopic
  readonly gateway: DirectoryEntry
  readonly payload: Uint8Array
  /** Arrival, Unix ms. Stays the same for every attempt to process the message. */
  readonly received: number
}

/**
 * Handles the reply of a device. Returns a reason if it does not belong to a known request; rejects if it cannot be
 * stored now.
 */
export type ReplyHandler = (message: GatewayMessage) => Promise<RejectReason | undefined>

export interface IngestOptions {
  readonly clock: Clock
  readonly directory: Pick<DeviceDirectory, 'find'>
  /** Whether this server serves a company; the messages of others are left to their server. */
  readonly serves: (tenant: string) => boolean
  /** Whether a message of a gateway is done. */
  readonly isSeen: SeenMessages['has']
  readonly commit: Pick<GroupCommit, 'add' | 'isFull' | 'waitFor'>
  readonly quarantine: QuarantineWriter
  readonly frames: RawWriter
  /** Called with a numbered message after its frames are durable or quarantined. */
  readonly framesDone: (message: StoredMessage) => void
  readonly handleBirth: (gateway: DirectoryEntry, birth: BirthMessage) => void
  /** Called for every message of a registered gateway. */
  readonly recordGateway: (gateway: DirectoryEntry) => void
  /** Retention of readings, ms. Older readings are refused. */
  readonly retentionMs: number
  /** Notes a message that is refused as a whole or in part. Resolves after the note is durable. */
  readonly recordRefused: (message: StoredMessage) => Promise<void>
  /** The same for a message of frames. */
  readonly recordRefusedFrames: (message: StoredMessage) => Promise<void>
  /** Called when a gateway repeats a message that is done, because it may not know that. */
  readonly repeated: (gatewayId: number, boot: number) => void
  /** Adds quality bits to implausible values. */
  readonly judge: (samples: readonly Sample[], live: boolean) => readonly Sample[]
  readonly clocks: Pick<GatewayClocks, 'measure' | 'arrivalOf' | 'correctionOf'>
  readonly steady: Pick<SteadyClock, 'shiftMs'>
  readonly metrics: TelemetryMetrics
  readonly handleReply: ReplyHandler
  /** Called for unregistered devices that send data. */
  readonly unregistered: (report: UnregisteredReport) => void
}

/** Result of a message. MQTT only acknowledges and does not use it; a call by HTTP answers it. */
export interface IngestOutcome {
  /** Values of readings that are stored now. */
  readonly values: number
  /** Whether the message was done before. */
  readonly isRepeated: boolean
  /** What is in the quarantine now. */
  readonly rejects: readonly RejectedPart[]
}

/** Processes one message of a gateway. It may be acknowledged after this resolves. */
export type Ingest = (message: IncomingMessage) => Promise<IngestOutcome>

const NOTHING: IngestOutcome = { values: 0, isRepeated: false, rejects: [] }
const REPEATED: IngestOutcome = { ...NOTHING, isRepeated: true }

/**
 * The way of a message: registered gateway, known channel, valid format, not stored yet, group commit. A bad message is
 * quarantined with its reason and acknowledged, because a retry would not change it.
 */
export function createIngest(options: IngestOptions): Ingest {
  const { clock, directory, isSeen, commit, quarantine, metrics } = options
  /** Messages that are being stored, by key. A repeated message waits for the first one. */
  const inProgress = new Map<string, Promise<IngestOutcome>>()
  /** Correction of the instants, by payload: a retried message must not be measured again. */
  const offsets = new WeakMap<Uint8Array, number>()
  /** Rejects by payload: a retried message counts once. */
  const rejected = new WeakMap<Uint8Array, Map<string, StoreReject>>()
  let lastPart = 0

  function countReject(
    message: GatewayMessage | IncomingMessage,
    { reason, part }: RejectedPart,
  ): StoreReject {
    const isKnown = 'gateway' in message
    return quarantine.count({
      received: isKnown ? message.received : (message.receivedAt ?? clock.now()),
      topic: isKnown
        ? `${message.topic.tenant}/${message.topic.gateway}/${message.topic.channel}`
        : message.topic,
      tenant: isKnown ? message.topic.tenant : '',
      gateway: isKnown ? message.topic.gateway : '',
      reason,
      bytes: part === undefined ? message.payload : Buffer.from(part),
    })
  }

  /** `nth` distinguishes equal parts of a message. */
  function reject(
    message: GatewayMessage | IncomingMessage,
    reason: RejectReason,
    part?: string,
    nth = 0,
  ): Promise<void> {
    const known = rejected.get(message.payload) ?? new Map<string, StoreReject>()
    rejected.set(message.payload, known)
    const key = `${nth} ${reason} ${part ?? ''}`
    const store = known.get(key) ?? countReject(message, { reason, part })
    known.set(key, store)
    return store()
  }

  async function rejectWhole(
    message: GatewayMessage | IncomingMessage,
    reason: RejectReason,
  ): Promise<IngestOutcome> {
    await reject(message, reason)
    return { ...NOTHING, rejects: [{ reason, part: undefined }] }
  }

  async function rejectParts(message: GatewayMessage, rejects: readonly RejectedPart[]): Promise<void> {
    const alike = new Map<string, number>()
    await Promise.all(
      rejects.map(({ reason, part }) => {
        const key = `${reason} ${part}`
        const nth = (alike.get(key) ?? 0) + 1
        alike.set(key, nth)
        return reject(message, reason, part, nth)
      }),
    )
  }

  /** A gateway may report for itself and for the devices behind it only. */
  function findOwn({ topic, gateway }: GatewayMessage, serial: string): DirectoryEntry | undefined {
    const device = directory.find(topic.tenant, serial)
    return device && (device.id === gateway.id || device.concentratorId === gateway.id) ? device : undefined
  }

  async function storeOnce(key: string, store: () => Promise<IngestOutcome>): Promise<IngestOutcome> {
    const first = inProgress.get(key)
    if (first) {
      await commit.waitFor(first)
      return REPEATED
    }
    const stored = store().finally(() => inProgress.delete(key))
    inProgress.set(key, stored)
    return stored
  }

  /** Measures the gateway's clock with a message that arrives for the first time. */
  function measure({ gateway, payload, received }: GatewayMessage, ts: number): number {
    const offset = offsets.get(payload) ?? options.clocks.measure(gateway, ts, received)
    offsets.set(payload, offset)
    return offset
  }

  /** A child that is not registered behind the gateway may be registered soon. */
  function noteUnknown({ gateway, received }: GatewayMessage, { reason, part }: RejectedPart): void {
    const child = reason === 'unknown-device' ? readUnknownChild(part) : undefined
    if (child !== undefined)
      options.unregistered({
        ...child,
        gatewayId: gateway.id,
        via: 'readings',
        line: '',
        count: 1,
        at: received,
      })
  }

  async function storeReadings(message: GatewayMessage, live: boolean): Promise<IngestOutcome> {
    // A message that must be retried is not measured or judged before it can be accepted.
    if (commit.isFull()) throw new BacklogFullError()
    const { received, gateway } = message
    const findDevice = (serial: string) => findOwn(message, serial)
    const isKnown = (boot: number, seq: number): boolean =>
      isSeen(gateway.id, boot, seq) || inProgress.has(toMessageKey({ gatewayId: gateway.id, boot, seq }))
    const parsed = parseReadings(message.payload, {
      received,
      retainedSince: received - options.retentionMs,
      setBackMs: Math.max(0, options.steady.shiftMs()),
      findDevice,
      arrivalOf: ({ ts }) => (live ? options.clocks.arrivalOf(ts, received) : received),
      // A repeated message may have been delayed for long, and back-fill has an instant that is not the time of
      // sending.
      offsetOf: ({ boot, seq, ts }) =>
        live && !isKnown(boot, seq) ? measure(message, ts) : options.clocks.correctionOf(gateway.id),
    })
    if (parsed.kind === 'rejected') return rejectWhole(message, parsed.reason)
    const { boot, seq, rows, rejects } = parsed
    if (isSeen(gateway.id, boot, seq)) {
      metrics.duplicates.inc()
      options.repeated(gateway.id, boot)
      return REPEATED
    }
    if (live) for (const reject of rejects) noteUnknown(message, reject)
    return storeOnce(toMessageKey({ gatewayId: gateway.id, boot, seq }), async () => {
      // Without rejects there is no await here, so no other message can fill the backlog meanwhile.
      if (rejects.length > 0) await rejectParts(message, rejects)
      if (rows === 0) {
        await options.recordRefused({ gatewayId: gateway.id, boot, seq })
        return { ...NOTHING, rejects }
      }
      if (commit.isFull()) throw new BacklogFullError()
      const samples = options.judge(parsed.samples, live)
      // `received` is the time of acceptance, which may be long after the arrival: other replicas search by it.
      const stored = await commit.add(
        { gatewayId: gateway.id, boot, seq, received: clock.now(), live, samples, rows },
        () => reject(message, 'not-storable'),
      )
      if (stored === rows) return { ...NOTHING, values: stored, rejects }
      await options.recordRefused({ gatewayId: gateway.id, boot, seq })
      return {
        ...NOTHING,
        values: stored,
        rejects: [...rejects, { reason: 'not-storable', part: undefined }],
      }
    })
  }

  async function processBirth(message: GatewayMessage): Promise<IngestOutcome> {
    const read = readJson(message.payload)
    if (read.kind === 'rejected') return rejectWhole(message, read.reason)
    const birth = birthMessage.safeParse(read.value)
    if (!birth.success) return rejectWhole(message, 'wrong-schema')
    options.handleBirth(message.gateway, birth.data)
    return NOTHING
  }

  async function processReply(message: GatewayMessage): Promise<IngestOutcome> {
    const reason = await options.handleReply(message)
    return reason ? rejectWhole(message, reason) : NOTHING
  }

  async function noteUnregistered(message: GatewayMessage): Promise<IngestOutcome> {
    const read = readJson(message.payload)
    if (read.kind === 'rejected') return rejectWhole(message, read.reason)
    const reports = toUnregisteredReports(read.value, message)
    if (reports === undefined) return rejectWhole(message, 'wrong-schema')
    for (const report of reports) options.unregistered(report)
    return NOTHING
  }

  async function storeFrames(message: GatewayMessage): Promise<IngestOutcome> {
    const { gateway, received } = message
    const parsed = parseFrames(message.payload, {
      gatewayId: gateway.id,
      received,
      findDevice: (serial) => findOwn(message, serial),
      nextPart() {
        lastPart = (lastPart + 1) % 65_536
        return lastPart
      },
    })
    if (parsed.kind === 'rejected') return rejectWhole(message, parsed.reason)
    const { rejects } = parsed
    await rejectParts(message, rejects)
    const refused = parsed.frames.length > 0 ? await options.frames.put(parsed.frames) : []
    if (refused.length > 0) await reject(message, 'not-storable')
    if (!parsed.number) return { ...NOTHING, rejects }
    const known = { gatewayId: gateway.id, ...parsed.number }
    if (refused.length === parsed.frames.length) await options.recordRefusedFrames(known)
    options.framesDone(known)
    return { ...NOTHING, rejects }
  }

  const processors: Readonly<Record<UpChannel, (message: GatewayMessage) => Promise<IngestOutcome>>> = {
    telemetry: (message) => storeReadings(message, true),
    event: (message) => storeReadings(message, true),
    history: (message) => storeReadings(message, false),
    birth: processBirth,
    reply: processReply,
    raw: storeFrames,
    unregistered: noteUnregistered,
  }

  return async (message) => {
    const topic = parseUpTopic(message.topic)
    metrics.messages.inc({ channel: topic?.channel ?? 'other' })
    if (!topic) return rejectWhole(message, 'foreign-topic')
    if (!options.serves(topic.tenant)) return NOTHING
    const gateway = directory.find(topic.tenant, topic.gateway)
    if (!gateway) return rejectWhole(message, 'unknown-node')
    const received = message.receivedAt ?? clock.now()
    const known: GatewayMessage = { topic, gateway, payload: message.payload, received }
    if (topic.channel !== 'birth') options.recordGateway(gateway)
    if (message.payload.byteLength > MAX_MESSAGE_BYTES) return rejectWhole(known, 'oversize')
    return processors[topic.channel](known)
  }
}
