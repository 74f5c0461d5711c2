import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'

/**
 * Resolves with the result of `work` if it ends within `limitMs`. Otherwise calls `onTimeout` and rejects with
 * server.unavailable; the work continues and its result is ignored. For calls this costs less than Fastify's own
 * limit, which aborts a signal at the end of each call.
 */
export function withTimeout<Answer>(
  clock: Pick<Clock, 'setTimeout'>,
  limitMs: number,
  work: () => Promise<Answer>,
  onTimeout: (error: Error) => void = () => undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      const cause = new Error(`no answer within ${limitMs} ms`)
      onTimeout(cause)
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
