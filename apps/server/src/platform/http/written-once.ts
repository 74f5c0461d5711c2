import type { Backend } from '@isotherm/contract/endpoint'
import type { FastifyReply } from 'fastify'
import { toSuccess } from './envelope.ts'

/** Answers that are given again and again, each with the bytes it is sent as once it has been. */
const written = new WeakMap<object, Buffer | undefined>()

/**
 * Marks an answer that whoever made it keeps and gives to other calls, too: it is written as JSON once. It must not
 * be changed any more.
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
  const bytes = written.get(answer) ?? Buffer.from(JSON.stringify(toSuccess(backend, answer)))
  written.set(answer, bytes)
  return reply.type('application/json; charset=utf-8').send(bytes)
}
