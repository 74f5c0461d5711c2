import type { Backend } from '@isotherm/contract/endpoint'
import type { FastifyReply } from 'fastify'
import { toSuccess } from './envelope.ts'

interface Serialized {
  /** Backend of its envelope. */
  readonly backend: Backend
  readonly bytes: Buffer
}

/** Cached answers, each with its last serialization. */
const serialized = new WeakMap<object, Serialized | undefined>()

/** Bytes in a buffer of their own. A slice of Node's buffer pool would hold the whole pool in memory. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/**
 * Marks a cached answer that is sent to several calls. Its bytes are reused as long as the calls are of the same backend. The
 * answer must not change afterwards.
 */
export function serializeOnce<Answer extends object>(answer: Answer): Answer {
  serialized.set(answer, undefined)
  return answer
}

/** Sends a marked answer. Returns undefined for any other answer, which the caller must send. */
export function sendSerialized(
  reply: FastifyReply,
  backend: Backend,
  answer: unknown,
): FastifyReply | undefined {
  if (typeof answer !== 'object' || answer === null || !serialized.has(answer)) return undefined
  const known = serialized.get(answer)
  const isKnown = known?.backend === backend
  const bytes = isKnown ? known.bytes : toBytes(JSON.stringify(toSuccess(backend, answer)))
  if (!isKnown) serialized.set(answer, { backend, bytes })
  return reply.type('application/json; charset=utf-8').send(bytes)
}
