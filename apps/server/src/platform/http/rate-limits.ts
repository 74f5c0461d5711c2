import rateLimit from '@fastify/rate-limit'
import { toNetworkOf } from '@isotherm/kernel/machine/network-of'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../app-error.ts'

export interface RateLimits {
  /** Requests per minute and address. Many people of an office share one address. */
  readonly requestsPerMinute: number
  /** Calls without a session per minute, address and subject: an account, or another call. */
  readonly publicCallsPerMinute: number
  /** The same for all accounts and calls of one network together, because account names can be invented. */
  readonly publicCallsPerNetwork: number
  /**
   * Changes and exports per minute and account, of its sessions and API keys together, also those that are refused: each leaves an entry
   * in the operation log, which nobody can delete. Uploads do not count.
   */
  readonly loggedCallsPerMinute: number
}

export const defaultRateLimits: RateLimits = {
  requestsPerMinute: 6_000,
  publicCallsPerMinute: 120,
  publicCallsPerNetwork: 1_200,
  // The calls of an API key that nobody set a limit for.
  loggedCallsPerMinute: 600,
}

const WINDOW_MS = 60_000
/** Counters in memory; with more subjects the oldest counters are dropped. */
const MAX_COUNTERS = 10_000

const signIn = z.object({ username: z.string().max(64) })

/**
 * What a call without a session is about. Sign-ins are counted by account, all other calls and malformed sign-ins by
 * their address, so that nobody can use up the sign-ins of another account at the same address.
 */
function toSubject({ body, routeOptions }: FastifyRequest): string {
  const parsed = signIn.safeParse(body)
  return parsed.success ? `account ${parsed.data.username.trim()}` : (routeOptions.url ?? '')
}

const tooMany = (ttlMs: number): AppError =>
  new AppError('request.too-many', { retryAfterS: Math.ceil(ttlMs / 1000) })

/** Adds the limit of all requests. Returns the limit of calls without a session, which runs when the body is read. */
export async function addRateLimits(
  app: FastifyInstance,
  limits: RateLimits,
): Promise<(request: FastifyRequest) => Promise<void>> {
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: WINDOW_MS,
    cache: MAX_COUNTERS,
    // The plugin's own function throws for a client that has gone.
    keyGenerator: (request) => toNetworkOf(request.ip),
    errorResponseBuilder: (_request, context) => tooMany(context.ttl),
  })
  const limitPublicCall = app.createRateLimit({
    max: limits.publicCallsPerMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => `${toNetworkOf(request.ip)} ${toSubject(request)}`,
  })
  const limitNetwork = app.createRateLimit({
    max: limits.publicCallsPerNetwork,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => `${toNetworkOf(request.ip)} all`,
  })
  return async (request) => {
    for (const limit of [limitNetwork, limitPublicCall]) {
      const result = await limit(request)
      if (!result.isAllowed && result.isExceeded) throw tooMany(result.ttl)
    }
  }
}
