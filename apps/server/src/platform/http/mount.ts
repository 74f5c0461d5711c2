import { type Backend, backends, type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getToken, requireAccess } from './access.ts'
import { nameBrowser } from './browser-cookie.ts'
import type { Call, Caller, PublicCall } from './call.ts'
import { toSuccess } from './envelope.ts'
import type { Handlers } from './handlers.ts'
import { pickLanguage } from './language.ts'
import { parseInput } from './parse-input.ts'
import { PUBLIC_CALLS } from './rate-limits.ts'
import type { Framing } from './security-headers.ts'

export interface MountOptions extends Framing {
  readonly handlers: Handlers
  readonly authenticate: (backend: Backend, token: string) => Promise<Caller>
  /** Checks what handlers answer against the contract; for tests, it costs time. */
  readonly checkOutput: boolean
  readonly publicCallsPerMinute: number
}

/** A handler seen without its types; what it takes has been parsed by the endpoint's own schema. */
type AnyHandler = (input: unknown, call: PublicCall | Call) => Promise<unknown>

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the signed-in caller, for the access log. */
    account?: string
  }
}

function toPublicCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { isPublic, frameOrigins }: Framing & { readonly isPublic: boolean },
): PublicCall {
  return {
    requestId: request.id,
    address: request.ip,
    language: pickLanguage(request.headers['accept-language']),
    browser: isPublic ? nameBrowser(request, reply, frameOrigins.length > 0) : '',
  }
}

function mountOne(app: FastifyInstance, endpoint: Endpoint, handle: AnyHandler, options: MountOptions): void {
  const { backend, access } = endpoint
  const isPublic = access.kind === 'public'
  app.route({
    method: endpoint.method,
    url: toUrlPath(endpoint),
    exposeHeadRoute: false,
    handlerTimeout: backends[backend].timeoutMs,
    config: isPublic ? { rateLimit: { max: options.publicCallsPerMinute, groupId: PUBLIC_CALLS } } : {},
    async handler(request, reply) {
      reply.header('Cache-Control', 'no-store')
      let call: PublicCall | Call = toPublicCall(request, reply, { ...options, isPublic })
      if (!isPublic) {
        const caller = await options.authenticate(backend, getToken(backend, request))
        request.account = caller.account
        requireAccess(access, caller)
        call = { ...call, caller }
      }
      const input = parseInput(endpoint.input, endpoint.method === 'GET' ? request.query : request.body)
      const output = await handle(input, call)
      return toSuccess(backend, options.checkOutput ? endpoint.output.parse(output) : output)
    },
  })
}

/** Mounts every endpoint of the contract. */
export function mountEndpoints(app: FastifyInstance, options: MountOptions): void {
  const names = Object.keys(endpoints) as readonly EndpointName[]
  for (const name of names) {
    // The table of handlers is typed by name; here the schema that guards the handler stands in for the type.
    mountOne(app, endpoints[name], options.handlers[name] as AnyHandler, options)
  }
}
