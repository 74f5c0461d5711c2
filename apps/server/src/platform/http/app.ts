import { randomUUID } from 'node:crypto'
import { type ErrorCode, errors } from '@isotherm/contract/errors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { BODY_LIMIT_KB, toAppError } from '../to-app-error.ts'
import { addCompanyBackends } from './company/company-backends.ts'
import { isPageRequest, sendConsolePage, serveConsole } from './console-files.ts'
import { addDocs } from './docs.ts'
import { findBackend, toFailure } from './envelope.ts'
import { addHealth, type HealthOptions } from './health/health.ts'
import { addHttpsOnly } from './https-only.ts'
import { pickLanguage } from './language.ts'
import { createMinuteLimits } from './minute-limits.ts'
import { type MountOptions, mountEndpoints } from './mount.ts'
import { addRateLimits, type RateLimits } from './rate-limits.ts'
import { addSecurityHeaders, type PageOrigins, unreadableHeaders } from './security-headers.ts'

export interface HttpOptions
  extends Omit<MountOptions, 'limitPublicCall' | 'limitLoggedCall' | 'clock'>,
    Omit<HealthOptions, 'clock'>,
    Pick<PageOrigins, 'iconOrigins' | 'tileOrigins'> {
  readonly clock: Clock
  readonly log: Log
  readonly rateLimits: RateLimits
  readonly trustedProxies: readonly string[]
  readonly isHttpsOnly: boolean
  readonly consoleDir?: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the call was refused or failed, for the access log. */
    failure?: ErrorCode
  }
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toAppError(error, request.id, request.routeOptions.bodyLimit)
  request.failure = failure.code
  const { http } = errors[failure.code]
  if (http >= 500) request.log.error({ err: failure.cause ?? failure, code: failure.code }, 'a call failed')
  const language = pickLanguage(request.headers['accept-language'])
  const { retryAfterS } = failure.params
  if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS)
  return reply
    .code(http)
    .header('Cache-Control', 'no-store')
    .send(toFailure(findBackend(request.url) ?? 'ht-api', failure, language))
}

const MAX_LOGGED_PATH = 200

function logCall(request: FastifyRequest, reply: FastifyReply): void {
  if (findBackend(request.url) === undefined) return
  const path = request.url.split('?')[0]?.slice(0, MAX_LOGGED_PATH)
  const { method, account, ip, failure } = request
  request.log.info(
    { method, path, http: reply.statusCode, failure, ms: Math.round(reply.elapsedTime), account, ip },
    'call',
  )
}

/** Warns once if a proxy forwards requests that is not trusted: all its users then share one address. */
function warnOfUntrustedProxy(app: FastifyInstance, log: Log): void {
  let isWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      const proxy = request.socket.remoteAddress
      log.warn(
        { proxy },
        'a proxy forwards requests; name it in ISOTHERM_TRUSTED_PROXIES to tell its users apart',
      )
    }
    done()
  })
}

/** Creates the HTTP application; it does not listen yet. The live hub adds its own route. */
export async function createHttpApp(options: HttpOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = options.log
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_KB * 1024,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => randomUUID().replaceAll('-', '').slice(-16),
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply.headers(unreadableHeaders)),
  })
  app.removeContentTypeParser('text/plain')
  const getsConsolePage = (request: FastifyRequest): boolean =>
    options.consoleDir !== undefined && findBackend(request.url) === undefined && isPageRequest(request)
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
  app.addHook('onResponse', (request, reply, done) => {
    logCall(request, reply)
    done()
  })
  if (options.trustedProxies.length === 0) warnOfUntrustedProxy(app, options.log)
  await addSecurityHeaders(app, options)
  if (options.isHttpsOnly) addHttpsOnly(app)
  const limitPublicCall = await addRateLimits(app, options.rateLimits)
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    getsConsolePage(request)
      ? sendConsolePage(reply)
      : sendFailure(new AppError('request.unknown'), request, reply),
  )
  addHealth(app, options)
  await addDocs(app)
  const loggedCalls = createMinuteLimits(options.clock)
  const limitLoggedCall = (accountId: number): void =>
    loggedCalls.count(accountId, options.rateLimits.loggedCallsPerMinute)
  mountEndpoints(app, { ...options, limitPublicCall, limitLoggedCall })
  await addCompanyBackends(app, options.companyBackends)
  if (options.consoleDir !== undefined) await serveConsole(app, options.consoleDir)
  return app
}
