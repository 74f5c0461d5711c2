import type { IncomingHttpHeaders } from 'node:http'
import proxy from '@fastify/http-proxy'
import { type Backend, backends } from '@isotherm/contract/endpoint'
import { LIVE_PATH } from '@isotherm/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import { toScheme } from '../https-only.ts'
import { isOwnOrigin } from '../own-origin.ts'

/** Base addresses of a company's own backends. Calls of an absent one are answered by this server. */
export type CompanyBackends = Readonly<Partial<Record<Backend, string>>>

/** Timeout of a response body: long enough for a large download. */
const BODY_TIMEOUT_MS = 600_000

/** Headers with which a client could claim another way to this server. */
const CLAIMS: ReadonlySet<string> = new Set([
  'forwarded',
  'x-real-ip',
  ...['host', 'port', 'prefix', 'server', 'ssl'].map((part) => `x-forwarded-${part}`),
])
const withoutClaims = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CLAIMS.has(name)))

/** Where a call came from, as this server sees it: its client cannot choose it. */
const toOriginOf = (request: Pick<FastifyRequest, 'ip' | 'protocol'>) => ({
  'x-forwarded-for': request.ip,
  'x-forwarded-proto': toScheme(request),
})

/**
 * How a live connection goes on. The other server accepts pages of its own origin only; this server is its client, and has checked
 * the page.
 */
const toLiveClient = (origin: string) => ({
  headers: { origin },
  // An option that the types of the library lack.
  rewriteRequestHeaders: (headers: Readonly<Record<string, string>>, request: FastifyRequest) => ({
    ...headers,
    ...(request.headers.cookie !== undefined && { cookie: request.headers.cookie }),
    ...toOriginOf(request),
  }),
})

/**
 * Forwards the calls of the given backends to the company's own servers, and the live push to the second one. The browser
 * speaks to this server only: no address, token or certificate of another origin is known to pages (ADR 72).
 */
export async function addCompanyBackends(app: FastifyInstance, own: CompanyBackends): Promise<void> {
  for (const backend of ['usr-cloud', 'ht-api'] as const) {
    const address = own[backend]
    if (address === undefined) continue
    const { base, timeoutMs } = backends[backend]
    const { origin, pathname } = new URL(address)
    await app.register(proxy, {
      upstream: origin,
      prefix: base,
      rewritePrefix: pathname.replace(/\/$/, ''),
      httpMethods: ['GET', 'POST'],
      undici: { headersTimeout: timeoutMs, bodyTimeout: BODY_TIMEOUT_MS },
      replyOptions: {
        rewriteRequestHeaders: (request, headers) => ({
          ...withoutClaims(headers),
          ...toOriginOf(request),
        }),
        onError: (reply, { error }) =>
          void reply.send(new AppError('server.unavailable', {}, { cause: error })),
      },
    })
  }
  const second = own['ht-api']
  if (second === undefined) return
  const { origin } = new URL(second)
  await app.register(proxy, {
    upstream: origin,
    prefix: LIVE_PATH,
    rewritePrefix: LIVE_PATH,
    httpMethods: ['GET'],
    websocket: true,
    async preValidation(request, reply) {
      if (!isOwnOrigin(request)) return reply.code(403).send()
    },
    wsClientOptions: toLiveClient(origin),
  })
}
