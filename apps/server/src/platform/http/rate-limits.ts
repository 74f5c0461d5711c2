import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'

/** Group name under which all calls without a session are counted together. */
export const PUBLIC_CALLS = 'public-calls'

export interface RateLimits {
  /** Requests per minute and address. Many people of an office share one address. */
  readonly requestsPerMinute: number
  /** Calls without a session per minute and address. */
  readonly publicCallsPerMinute: number
}

export const defaultRateLimits: RateLimits = { requestsPerMinute: 6_000, publicCallsPerMinute: 120 }

export async function addRateLimits(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    cache: 10_000,
    errorResponseBuilder: (_request, context) =>
      new AppError('request.too-many', { retryAfterS: Math.ceil(context.ttl / 1000) }),
  })
}
