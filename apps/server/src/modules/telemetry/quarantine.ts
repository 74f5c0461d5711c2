import type { RejectReason } from './parse-message.ts'

/** A message or part that was kept out of the readings, as it is stored. */
export interface QuarantineEntry {
  /** Arrival, Unix ms. */
  readonly received: number
  readonly topic: string
  readonly node: string
  readonly reason: RejectReason
  /** Its first bytes. */
  readonly bytes: Uint8Array
  /** How long it was, bytes. */
  readonly size: number
  /** How many like it this one stands for, itself included. */
  readonly count: number
}

export type Reject = Omit<QuarantineEntry, 'count' | 'bytes' | 'size'> & { readonly bytes: Uint8Array }

const MAX_BYTES = 4_096
const MAX_TOPIC = 256

/** A bucket that fills with time: `burst` at once, then one per `refillMs`. */
interface Bucket {
  tokens: number
  filledAt: number
}

interface Limit {
  readonly burst: number
  readonly refillMs: number
}

/** About 43,000 entries a day at most, 4 KB each; what a single node may take of it is far less. */
const EVERYBODY: Limit = { burst: 500, refillMs: 2_000 }
const ONE_NODE: Limit = { burst: 20, refillMs: 60_000 }
const MAX_NODES = 10_000

function take(bucket: Bucket, limit: Limit, now: number): boolean {
  bucket.tokens = Math.min(limit.burst, bucket.tokens + (now - bucket.filledAt) / limit.refillMs)
  bucket.filledAt = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/**
 * Chooses which rejects are stored: all of a few, a sample of a flood, so that nobody fills the disk by
 * sending garbage. What is left out is counted into the next entry with the same node and reason.
 */
export interface QuarantineSampler {
  /** The entry to store, or undefined when this reject is only counted. */
  admit(reject: Reject): QuarantineEntry | undefined
}

export function createQuarantineSampler(): QuarantineSampler {
  const all: Bucket = { tokens: EVERYBODY.burst, filledAt: 0 }
  const nodes = new Map<string, Bucket>()
  const left = new Map<string, number>()

  function getBucket(key: string, now: number): Bucket {
    const known = nodes.get(key)
    if (known) return known
    if (nodes.size >= MAX_NODES) {
      nodes.clear()
      left.clear()
    }
    const bucket = { tokens: ONE_NODE.burst, filledAt: now }
    nodes.set(key, bucket)
    return bucket
  }

  return {
    admit(reject) {
      const key = `${reject.node}|${reject.reason}`
      const isAdmitted =
        take(getBucket(key, reject.received), ONE_NODE, reject.received) &&
        take(all, EVERYBODY, reject.received)
      const count = (left.get(key) ?? 0) + 1
      if (!isAdmitted) {
        left.set(key, count)
        return undefined
      }
      left.delete(key)
      return {
        ...reject,
        topic: reject.topic.slice(0, MAX_TOPIC),
        bytes: reject.bytes.subarray(0, MAX_BYTES),
        size: reject.bytes.byteLength,
        count,
      }
    },
  }
}
