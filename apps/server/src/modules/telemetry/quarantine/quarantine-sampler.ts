import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { RejectReason } from '../messages/parse-message.ts'

/** A rejected message or part, as it is stored. */
export interface QuarantineEntry {
  /** Arrival, Unix ms. */
  readonly received: number
  readonly topic: string
  readonly gateway: string
  readonly reason: RejectReason
  /** Its first bytes. */
  readonly bytes: Uint8Array
  /** Its full length, bytes. */
  readonly size: number
  /** Number of similar rejects that this entry represents, itself included. */
  readonly count: number
}

export type Reject = Omit<QuarantineEntry, 'count' | 'bytes' | 'size'> & {
  /** Company of the gateway; serials are unique per company only. */
  readonly tenant: string
  readonly bytes: Uint8Array
}

const MAX_BYTES = 4_096
/** The gateway cannot know why the store refused its message, so each of these is stored with all its bytes. */
const NEVER_SAMPLED: RejectReason = 'not-storable'
const MAX_TOPIC = 256

/** A token bucket: `burst` at once, then one per `refillMs`. */
interface Bucket {
  tokens: number
  filledAt: number
}

interface Limit {
  readonly burst: number
  readonly refillMs: number
}

/**
 * Each reason has its own limit, so that a flood of one leaves room for the others: with a dozen reasons at most about
 * 43,000 entries of 4 KB a day. The limit of a single gateway is far lower.
 */
const ONE_REASON: Limit = { burst: 60, refillMs: 24_000 }
const ONE_GATEWAY: Limit = { burst: 20, refillMs: MINUTE_MS }
const MAX_GATEWAYS = 10_000

function take(bucket: Bucket, limit: Limit, now: number): boolean {
  // A reject that waited may have arrived before others that are already counted.
  const passed = Math.max(0, now - bucket.filledAt)
  bucket.tokens = Math.min(limit.burst, bucket.tokens + passed / limit.refillMs)
  bucket.filledAt += passed
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/**
 * Samples the rejects to store: all of a few, some of a flood, so that garbage cannot fill the disk. Rejects that are
 * left out are added to the count of the next entry with the same gateway and reason.
 */
export interface QuarantineSampler {
  /** The entry to store; undefined if this reject is only counted. */
  admit(reject: Reject): QuarantineEntry | undefined
}

export function createQuarantineSampler(): QuarantineSampler {
  const reasons = new Map<RejectReason, Bucket>()
  const gateways = new Map<string, Bucket>()
  const left = new Map<string, number>()

  function getReason(reason: RejectReason, now: number): Bucket {
    const known = reasons.get(reason)
    if (known) return known
    const bucket = { tokens: ONE_REASON.burst, filledAt: now }
    reasons.set(reason, bucket)
    return bucket
  }

  function getGateway(key: string, now: number): Bucket {
    const known = gateways.get(key)
    if (known) return known
    if (gateways.size >= MAX_GATEWAYS) {
      gateways.clear()
      left.clear()
    }
    const bucket = { tokens: ONE_GATEWAY.burst, filledAt: now }
    gateways.set(key, bucket)
    return bucket
  }

  return {
    admit({ tenant, ...reject }) {
      const topic = reject.topic.slice(0, MAX_TOPIC).toWellFormed()
      const size = reject.bytes.byteLength
      if (reject.reason === NEVER_SAMPLED) return { ...reject, topic, size, count: 1 }
      const key = `${tenant}/${reject.gateway}|${reject.reason}`
      const now = reject.received
      const isAdmitted =
        take(getGateway(key, now), ONE_GATEWAY, now) && take(getReason(reject.reason, now), ONE_REASON, now)
      const count = (left.get(key) ?? 0) + 1
      if (!isAdmitted) {
        left.set(key, count)
        return undefined
      }
      left.delete(key)
      return {
        ...reject,
        topic,
        size,
        count,
        bytes: reject.bytes.subarray(0, MAX_BYTES),
      }
    },
  }
}
