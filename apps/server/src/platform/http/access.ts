import type { Backend, Endpoint } from '@isotherm/contract/endpoint'
import { API_KEY_PREFIX } from '@isotherm/contract/endpoints/administration/api-keys'
import type { EndpointName } from '@isotherm/contract/endpoints/all'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import type { Caller } from './call.ts'

/** Longest accepted token, characters. */
const MAX_TOKEN = 200
const withToken = z.object({ token: z.string().min(1) })
const BEARER = /^Bearer\s+(\S+)$/i

function findBearer(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1]
}

function findTokenHeader(request: FastifyRequest): string | undefined {
  const header = request.headers.token
  return typeof header === 'string' && header !== '' ? header : undefined
}

/** Maximum size of a body that contains the token, bytes. It is read before the caller is known. */
const MAX_BODY_WITH_TOKEN = 64 * 1024

/**
 * Whether the token of a request is in its body, which must be read first. Throws request.too-large for a body that is too
 * long for that or does not say its length.
 */
export function hasTokenInBody(backend: Backend, request: FastifyRequest): boolean {
  if (backend === 'ht-api' || request.method === 'GET' || findTokenHeader(request) !== undefined) return false
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers
  if (transfer !== undefined || Number(length ?? 0) > MAX_BODY_WITH_TOKEN)
    throw new AppError('request.too-large', { limitKb: MAX_BODY_WITH_TOKEN / 1024 })
  return true
}

function findUsrCloudToken(request: FastifyRequest): string | undefined {
  const header = findTokenHeader(request)
  if (header !== undefined) return header
  const given = withToken.safeParse(request.method === 'GET' ? request.query : request.body)
  if (!given.success) return undefined
  // Proxies write the query into their logs, where a key would stay valid for months.
  if (given.data.token.startsWith(API_KEY_PREFIX)) throw new AppError('api-key.invalid')
  return given.data.token
}

/**
 * Token of a request. The second backend uses Authorization Bearer; the first uses the header `token`, or `token` in
 * query or body, as in the specification; an API key is taken from a header only. Throws session.missing without a token.
 */
export function getToken(backend: Backend, request: FastifyRequest): string {
  const token = backend === 'ht-api' ? findBearer(request) : findUsrCloudToken(request)
  if (token === undefined || token.length > MAX_TOKEN) throw new AppError('session.missing')
  return token
}

/** Throws access.denied if the caller lacks the permission that the endpoint requires. */
export function requireAccess(
  { access, apiKeys }: Pick<Endpoint, 'access' | 'apiKeys'>,
  caller: Pick<Caller, 'permissions' | 'apiKey'>,
): void {
  if (access.kind !== 'permission') return
  if (caller.apiKey && apiKeys === 'send-readings') {
    if (!caller.apiKey.sendsReadings) throw new AppError('access.denied')
    return
  }
  if (!access.anyOf.some((permission) => caller.permissions.has(permission))) {
    throw new AppError('access.denied')
  }
}

/** Calls that issue a token. Their effect is `reads`, because the session stays the same. */
const issuing: ReadonlySet<EndpointName> = new Set(['refreshToken', 'reflushToken'])

/**
 * Throws api-key.not-allowed for a change with a read-only key, and for calls that concern the session or the account itself,
 * such as a log-out, a new token or a new password, or whose effect would exceed or outlive the key.
 */
export function requireKeyAccess(
  name: EndpointName,
  { access, effect, apiKeys }: Pick<Endpoint, 'access' | 'effect' | 'apiKeys'>,
  { apiKey }: Pick<Caller, 'apiKey'>,
): void {
  if (!apiKey) return
  const isPersonal = access.kind === 'session' && (effect === 'changes' || issuing.has(name))
  if (isPersonal || apiKeys === 'refused' || (effect === 'changes' && apiKey.readOnly))
    throw new AppError('api-key.not-allowed')
}
