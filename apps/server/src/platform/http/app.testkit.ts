import { Registry } from 'prom-client'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createHttpApp, type HttpOptions } from './app.ts'
import { createTestCaller } from './call.testkit.ts'
import { defaultRateLimits } from './rate-limits.ts'

/** An object with the same value under every name. */
const toEvery = <Value>(value: Value): Readonly<Record<string, Value>> => new Proxy({}, { get: () => value })

/**
 * The HTTP application without stores: every token is that of a caller without permissions, every reference exists and every
 * handler answers null; `given` overrides parts.
 */
export const createTestApp = (given: Partial<HttpOptions> = {}) =>
  createHttpApp({
    // One answer for all calls fits none of their types.
    handlers: toEvery(async () => null) as never,
    references: toEvery(async () => true) as never,
    authenticate: async () => createTestCaller(),
    readRevisions: async () => ({ access: 0, groups: 0, places: 0 }),
    recordOperation: async () => undefined,
    requireEnabled: async () => undefined,
    meter: { start: () => () => undefined },
    log: createLog({ logLevel: 'silent' }),
    clock: systemClock,
    checkOutput: false,
    companyBackends: {},
    frameOrigins: [],
    iconOrigins: [],
    tileOrigins: [],
    rateLimits: defaultRateLimits,
    trustedProxies: [],
    isHttpsOnly: false,
    checks: {},
    metrics: new Registry(),
    isDemo: false,
    ...given,
  })
