import type { Backend } from '@isotherm/contract/endpoint'
import type { FastifyReply } from 'fastify'
import { toSuccess } from './envelope.ts'

interface Written {
  /** Whose envelope it is in. */
  readonly backend: Backend
  readonly bytes: Buffer
}

/** Answers that are given again and again, each with what it was sent as last once it has been. */
const written = new WeakMap<object, Written | undefined>()

/** Its memory is its own: kept bytes that are part of Node's pool keep all of that. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/**
 * Marks an answer that whoever made it keeps and gives to other calls, too: it is written as JSON once, and anew
 * for another backend. It must not be changed any more.
 */
export function writeOnce<Answer extends object>(answer: Answer): Answer {
  written.set(answer, undefined)
  return answer
}

/** Sends an answer that is written once; undefined for any other, which is left to whoever asks. */
export function sendWritten(
  reply: FastifyReply,
  backend: Backend,
  answer: unknown,
): FastifyReply | undefined {
  if (typeof answer !== 'object' || answer === null || !written.has(answer)) return undefined
  const known = written.get(answer)
  const isKnown = known?.backend === backend
  const bytes = isKnown ? known.bytes : toBytes(JSON.stringify(toSuccess(backend, answer)))
  if (!isKnown) written.set(answer, { backend, bytes })
  return reply.type('application/json; charset=utf-8').send(bytes)
}
