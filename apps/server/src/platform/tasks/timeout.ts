import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'

/**
 * What work answers when it does within `limitMs`; throws server.unavailable when it does not, after telling `isLate`. The
 * work goes on, and nobody waits for it any more. Of calls this is quicker than Fastify's own limit, which aborts a signal at
 * the end of each.
 */
export function inTime<Answer>(
  clock: Pick<Clock, 'setTimeout'>,
  limitMs: number,
  work: () => Promise<Answer>,
  isLate: (error: Error) => void = () => undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      const cause = new Error(`no answer within ${limitMs} ms`)
      isLate(cause)
      reject(new AppError('server.unavailable', {}, { cause }))
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
