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
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import type { SeenMessages } from '../delivery/seen-messages.ts'
import { type StoredMessage, toMessageKey } from '../messages/message-key.ts'
import { parseReadings, type RejectedPart, type RejectReason, readJson } from '../messages/parse-message.ts'
import type { Sample } from '../messages/sample.ts'
import type { GatewayClocks } from '../quality/gateway-clocks.ts'
import type { QuarantineWriter, StoreReject } from '../quarantine/quarantine-writer.ts'
import { parseFrames } from '../raw/raw-frame.ts'
import type { RawWriter } from '../raw/raw-writer.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import type { GroupCommit } from '../store/group-commit.ts'
import type { TelemetryMetrics } from './telemetry-metrics.ts'

/** A message of a node that is in the registry. */
export interface GatewayMessage {
  readonly topic: UpTopic
  readonly gateway: DirectoryEntry
  readonly payload: Uint8Array
  /** Arrival, Unix ms: the same however often the message is tried. */
  readonly received: number
}

/** Takes a device's reply; the reason when it is none of ours. Rejects when it cannot be stored now. */
export type ReplyHandler = (message: GatewayMessage) => Promise<RejectReason | undefined>

export interface IngestOptions {
  readonly clock: Clock
  readonly directory: Pick<DeviceDirectory, 'find'>
  /** Whether a message of a gateway is done. */
  readonly isSeen: SeenMessages['has']
  readonly commit: Pick<GroupCommit, 'add' | 'isFull'>
  readonly quarantine: QuarantineWriter
  readonly frames: RawWriter
  /** Told of a numbered message whose frames are durable or quarantined. */
  readonly framesDone: (message: StoredMessage) => void
  readonly handleBirth: (gateway: DirectoryEntry, birth: BirthMessage) => void
  /** Told of every message of a known node. */
  readonly noteGateway: (gateway: DirectoryEntry) => void
  /** For how long readings are kept, ms: what is older is refused. */
  readonly retentionMs: number
  /** Told of a message of which no more is kept than is stored, if any. Resolves when that is durable. */
  readonly noteRefused: (message: StoredMessage) => Promise<void>
  /** The same of a message of frames; what is kept of it is told apart. */
  readonly noteRefusedFrames: (message: StoredMessage) => Promise<void>
  /** Told when a node sends what is stored: it may not know. */
  readonly repeated: (gatewayId: number) => void
  /** Marks what the values of a message are doubted for. */
  readonly judge: (samples: readonly Sample[], live: boolean) => readonly Sample[]
  readonly clocks: Pick<GatewayClocks, 'measure' | 'correctionOf'>
  readonly metrics: TelemetryMetrics
  readonly handleReply: ReplyHandler
}

/** Takes one message from the broker; resolved, it may be acknowledged. */
export type Ingest = (message: IncomingMessage) => Promise<void>

/**
 * The way of a message into the house: known node, known channel, well-formed, not yet stored, then into the
 * group commit. What is wrong goes to quarantine with its reason and is acknowledged, for sending it again
 * would not mend it.
 */
export function createIngest(options: IngestOptions): Ingest {
  const { clock, directory, isSeen, commit, quarantine, metrics } = options
  /** Messages on their way to the store, by key: one that comes again waits for the first. */
  const underway = new Map<string, Promise<void>>()
  /** What is added to the instants of messages, by payload: one that is tried again was measured before. */
  const offsets = new WeakMap<Uint8Array, number>()
  /** What is wrong with messages, by payload: one that is tried again counts once. */
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
        ? `${message.topic.tenant}/${message.topic.node}/${message.topic.channel}`
        : message.topic,
      gateway: isKnown ? message.topic.node : '',
      reason,
      bytes: part === undefined ? message.payload : Buffer.from(part),
    })
  }

  /** `nth` tells apart parts of a message that are alike. */
  function reject(
    message: GatewayMessage | IncomingMessage,
    reason: RejectReason,
    part?: string,
    nth = 0,
  ): Promise<void> {
    const known = rejected.get(message.payload) ?? new Map<string, StoreReject>()
    rejected.set(message.payload, known)
    const key = `${nth} ${reason} ${part ?? ''}`
    const keep = known.get(key) ?? countReject(message, { reason, part })
    known.set(key, keep)
    return keep()
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

  /** A node speaks for itself and for the devices behind it, for nobody else. */
  function findOwn({ topic, gateway }: GatewayMessage, serial: string): DirectoryEntry | undefined {
    const device = directory.find(topic.tenant, serial)
    return device && (device.id === gateway.id || device.concentratorId === gateway.id) ? device : undefined
  }

  async function storeOnce(key: string, store: () => Promise<void>): Promise<void> {
    const first = underway.get(key)
    if (first) return first
    const stored = store().finally(() => underway.delete(key))
    underway.set(key, stored)
    return stored
  }

  /** Measures the node's clock by a message that arrives for the first time. */
  function measure({ gateway, payload, received }: GatewayMessage, ts: number): number {
    const offset = offsets.get(payload) ?? options.clocks.measure(gateway, ts, received)
    offsets.set(payload, offset)
    return offset
  }

  async function takeReadings(message: GatewayMessage, live: boolean): Promise<void> {
    // What has to be tried again is neither measured nor judged before it can be taken.
    if (commit.isFull()) throw new BacklogFullError()
    const { received, gateway } = message
    const findDevice = (serial: string) => findOwn(message, serial)
    const isKnown = (boot: number, seq: number): boolean =>
      isSeen(gateway.id, boot, seq) || underway.has(toMessageKey({ gatewayId: gateway.id, boot, seq }))
    const parsed = parseReadings(message.payload, {
      received,
      retainedSince: received - options.retentionMs,
      findDevice,
      // What comes again was under way for long, and only back-fill is stamped with another instant than its own.
      offsetOf: ({ boot, seq, ts }) =>
        live && !isKnown(boot, seq) ? measure(message, ts) : options.clocks.correctionOf(gateway.id),
    })
    if (parsed.kind === 'rejected') return reject(message, parsed.reason)
    const { boot, seq, rows, rejects } = parsed
    if (isSeen(gateway.id, boot, seq)) {
      metrics.duplicates.inc()
      options.repeated(gateway.id)
      return
    }
    await storeOnce(toMessageKey({ gatewayId: gateway.id, boot, seq }), async () => {
      // Without any, not a turn passes: others would fill the backlog meanwhile.
      if (rejects.length > 0) await rejectParts(message, rejects)
      if (rows === 0) {
        await options.noteRefused({ gatewayId: gateway.id, boot, seq })
        return
      }
      if (commit.isFull()) throw new BacklogFullError()
      const samples = options.judge(parsed.samples, live)
      // Other replicas read what they missed by when it was taken, which may be long after it arrived.
      const stored = await commit.add(
        { gatewayId: gateway.id, boot, seq, received: clock.now(), live, samples, rows },
        () => reject(message, 'not-storable'),
      )
      if (stored < rows) await options.noteRefused({ gatewayId: gateway.id, boot, seq })
    })
  }

  async function takeBirth(message: GatewayMessage): Promise<void> {
    const read = readJson(message.payload)
    if (read.kind === 'rejected') return reject(message, read.reason)
    const birth = birthMessage.safeParse(read.value)
    if (!birth.success) return reject(message, 'wrong-schema')
    options.handleBirth(message.gateway, birth.data)
  }

  async function takeReply(message: GatewayMessage): Promise<void> {
    const reason = await options.handleReply(message)
    if (reason) await reject(message, reason)
  }

  async function takeFrames(message: GatewayMessage): Promise<void> {
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
    if (parsed.kind === 'rejected') return reject(message, parsed.reason)
    await rejectParts(message, parsed.rejects)
    const refused = parsed.frames.length > 0 ? await options.frames.put(parsed.frames) : []
    if (refused.length > 0) await reject(message, 'not-storable')
    if (!parsed.number) return
    const known = { gatewayId: gateway.id, ...parsed.number }
    if (refused.length === parsed.frames.length) await options.noteRefusedFrames(known)
    options.framesDone(known)
  }

  const takers: Readonly<Record<UpChannel, (message: GatewayMessage) => Promise<void>>> = {
    telemetry: (message) => takeReadings(message, true),
    event: (message) => takeReadings(message, true),
    history: (message) => takeReadings(message, false),
    birth: takeBirth,
    reply: takeReply,
    raw: takeFrames,
  }

  return async (message) => {
    const topic = parseUpTopic(message.topic)
    metrics.messages.inc({ channel: topic?.channel ?? 'other' })
    if (!topic) return reject(message, 'foreign-topic')
    const gateway = directory.find(topic.tenant, topic.node)
    if (!gateway) return reject(message, 'unknown-node')
    const received = message.receivedAt ?? clock.now()
    const known: GatewayMessage = { topic, gateway, payload: message.payload, received }
    if (topic.channel !== 'birth') options.noteGateway(gateway)
    if (message.payload.byteLength > MAX_MESSAGE_BYTES) return reject(known, 'oversize')
    return takers[topic.channel](known)
  }
}
