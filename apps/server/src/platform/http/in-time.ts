import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'

/**
 * What a call is answered when it is within `limitMs`; throws server.unavailable when it is not. The work goes on, and
 * nobody waits for it any more. Fastify's own limit aborts a signal at
 * the end of every call, which takes longer than most of what we do for one.
 */
export function inTime<Answer>(
  clock: Pick<Clock, 'setTimeout'>,
  limitMs: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      reject(new AppError('server.unavailable', {}, { cause: new Error(`no answer within ${limitMs} ms`) }))
    }, limitMs)
    const end = (settle: () => void): void => {
      timer.cancel()
      settle()
    }
    work().then(
      (answer) => end(() => resolve(answer)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
