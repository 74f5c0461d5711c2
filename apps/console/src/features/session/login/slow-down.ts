import { ApiError } from '../../../shared/api/api-error.ts'

/** Instant until which the server accepts no further attempt, Unix ms; undefined if the failure names none. */
export function findWaitUntil(error: unknown, now: number): number | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code !== 'session.slowed' && error.code !== 'request.too-many') return undefined
  const seconds = Number(error.params.retryAfterS)
  return Number.isFinite(seconds) && seconds > 0 ? now + seconds * 1000 : undefined
}

/** Whole seconds left, never below zero. */
export const toSecondsLeft = (until: number | undefined, now: number): number =>
  until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000))
