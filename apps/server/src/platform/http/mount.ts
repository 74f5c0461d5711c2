import { type Backend, backends, type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { CallMeter } from '../meter/call-meter.ts'
import { withoutSecrets } from '../operation/operation.ts'
import type { Revisions } from '../signals/revisions.pg.ts'
import { runAsCaller } from '../tasks/current-caller.ts'
import { withTimeout } from '../tasks/timeout.ts'
import { getToken, hasTokenInBody, requireAccess, requireKeyAccess } from './access.ts'
import { nameBrowser } from './browser-cookie.ts'
import type { Call, Caller, PublicCall } from './call.ts'
import type { CompanyBackends } from './company/company-backends.ts'
import { toSuccess } from './envelope.ts'
import { FILE_TIMEOUT_MS, readUpload, sendFile } from './files/files.ts'
import type { FileAnswer, Handlers, WithUpload } from './handlers.ts'
import { unpackGzip } from './input/gzip-bodies.ts'
import { parseInput } from './input/parse-input.ts'
import { pickLanguage } from './language.ts'
import { isLogged, type RecordOperation, withOperationLog } from './log-operation.ts'
import { checkAnswer } from './output/check-answer.ts'
import { createReferenceCheck, type References } from './references.ts'
import type { Framing } from './security-headers.ts'
import { sendSerialized } from './serialize-once.ts'

export interface MountOptions extends Framing {
  /** Backends whose calls another server answers. */
  readonly companyBackends: CompanyBackends
  readonly handlers: Handlers
  /** `revision`: the access revision at the start of the call. */
  readonly authenticate: (backend: Backend, token: string, revision: number) => Promise<Caller>
  readonly readRevisions: () => Promise<Revisions>
  /** Checks the references of a call before its handler runs. */
  readonly references: References
  readonly recordOperation: RecordOperation
  readonly log: Log
  /** Counts the calls. */
  readonly meter: Pick<CallMeter, 'start'>
  /** Throws interface.disabled for an endpoint that administrators disabled. `revision`: the access revision. */
  readonly requireEnabled: (name: EndpointName, revision: number) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
  /** Checks answers against the contract. For tests only, because it costs time. */
  readonly checkOutput: boolean
  /** Throws request.too-many for a call without a session. */
  readonly limitPublicCall: (request: FastifyRequest) => Promise<void>
  /** Throws request.too-many for a call that the operation log would record, above the limit of its account. */
  readonly limitLoggedCall: (accountId: number) => void
}

/** A handler without its types. Its input is parsed by the endpoint's schema. */
type AnyHandler = (input: unknown, call: (PublicCall | Call) & Partial<WithUpload>) => Promise<unknown>

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the signed-in caller, for the access log. */
    account?: string
  }
}

interface CallSettings extends Framing, Pick<MountOptions, 'clock'> {
  readonly name: EndpointName
  readonly isPublic: boolean
}

function toPublicCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, isPublic, frameOrigins, clock }: CallSettings,
): PublicCall {
  // A client that has gone has no address any more.
  const { id: requestId, ip: address = '' } = request
  return {
    requestId,
    address,
    language: pickLanguage(request.headers['accept-language']),
    browser: isPublic ? nameBrowser(request, reply, frameOrigins.length > 0) : '',
    operation: {
      endpoint: name,
      accountId: undefined,
      account: '',
      companyId: undefined,
      address,
      requestId,
      input: {},
      at: clock.now(),
      isRecorded: false,
    },
  }
}

const withCaller = (call: PublicCall, caller: Caller, revisions: Revisions): Call => ({
  ...call,
  caller,
  revisions,
  operation: {
    ...call.operation,
    accountId: caller.accountId,
    account: caller.account,
    companyId: caller.companyId,
    // The log names the program beside its address.
    address: caller.apiKey ? `${call.address} · ${caller.apiKey.name}` : call.address,
  },
})

interface Mounted {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  readonly handle: AnyHandler
}

/** Largest body of a call without a session: sign-ins and codes are short. */
const MAX_PUBLIC_BODY = 16 * 1024

interface Identity {
  readonly caller: Caller
  readonly revisions: Revisions
}

/** Finds the caller of requests by their token, once for each. Throws the errors of sessions and keys. */
function createIdentification(
  backend: Backend,
  limitMs: number,
  { authenticate, readRevisions }: Pick<MountOptions, 'authenticate' | 'readRevisions'>,
) {
  const known = new WeakMap<FastifyRequest, Identity>()

  async function identify(request: FastifyRequest): Promise<Identity> {
    const found = known.get(request)
    if (found) return found
    const token = getToken(backend, request)
    const revisions = await readRevisions()
    const identity = { caller: await authenticate(backend, token, revisions.access), revisions }
    known.set(request, identity)
    return identity
  }

  /** Before the body is read, so that strangers cannot make the server unpack and parse. */
  const identifyFirst: preParsingAsyncHookHandler = async (request, _reply, payload) => {
    if (!hasTokenInBody(backend, request)) await withTimeout(systemClock, limitMs, () => identify(request))
    return payload
  }
  return { identify, identifyFirst }
}

/** Is aborted when the client leaves before its answer. */
function watchClient({ raw }: FastifyReply): AbortController {
  const leave = new AbortController()
  const check = (): void => {
    if (!raw.writableFinished) leave.abort(new AppError('request.abandoned'))
  }
  if (raw.destroyed) check()
  else raw.once('close', check)
  return leave
}

function mountOne(app: FastifyInstance, { name, endpoint, handle }: Mounted, options: MountOptions): void {
  const { backend, access, file = 'none' } = endpoint
  const isQuery = endpoint.method === 'GET' || file === 'upload'
  const checkReferences = createReferenceCheck(endpoint, options.references)
  const isPublic = access.kind === 'public'
  const limitMs = file === 'none' ? backends[backend].timeoutMs : FILE_TIMEOUT_MS
  const { identify, identifyFirst } = createIdentification(backend, backends[backend].timeoutMs, options)

  async function answer(request: FastifyRequest, reply: FastifyReply, left: AbortSignal): Promise<unknown> {
    let call: PublicCall | Call = toPublicCall(request, reply, { ...options, name, isPublic })
    if (!isPublic) {
      const { caller, revisions } = await identify(request)
      request.account = caller.account
      // A file has a thousand parts that leave no entry, and the input of an upload is short.
      if (isLogged(endpoint) && file !== 'upload') options.limitLoggedCall(caller.accountId)
      call = withCaller(call, caller, revisions)
    }
    const { operation } = call
    const work = async (): Promise<unknown> => {
      if ('caller' in call) {
        requireAccess(endpoint, call.caller)
        requireKeyAccess(name, endpoint, call.caller)
        await options.requireEnabled(name, call.revisions.access)
      }
      const input = parseInput(endpoint.input, isQuery ? request.query : request.body)
      if (isLogged(endpoint)) operation.input = withoutSecrets(input)
      if ('caller' in call) await checkReferences(call.caller, input)
      const answered = await handle(
        input,
        file === 'upload' ? { ...call, upload: readUpload(request) } : call,
      )
      // The handler of a download returns a FileAnswer, as the type of its endpoint ensures. The file is sent here,
      // so that the operation log can record whether all of it was sent.
      if (file === 'download') await sendFile(reply, answered as FileAnswer)
      return answered
    }
    const by = 'caller' in call ? call.caller.account : call.address
    return runAsCaller(by, () => withOperationLog({ ...options, operation, endpoint }, work), left)
  }

  app.route({
    method: endpoint.method,
    url: toUrlPath(endpoint),
    exposeHeadRoute: false,
    ...(isPublic ? { bodyLimit: MAX_PUBLIC_BODY } : {}),
    preParsing: [...(isPublic ? [] : [identifyFirst]), ...(endpoint.isPackable ? [unpackGzip] : [])],
    preHandler: isPublic ? [options.limitPublicCall] : [],
    async handler(request, reply) {
      reply.header('Cache-Control', 'no-store')
      const endCall = options.meter.start(name)
      const leave = watchClient(reply)
      // The client waits by real time, also when the server runs on a simulated clock.
      const output = await withTimeout(
        systemClock,
        limitMs,
        () => answer(request, reply, leave.signal),
        (cause) => leave.abort(new AppError('server.unavailable', {}, { cause })),
      ).catch((error: unknown) => {
        endCall('failed')
        throw error
      })
      endCall('ok')
      if (file === 'download') return reply
      const checked = options.checkOutput ? checkAnswer(endpoint, output) : output
      return sendSerialized(reply, backend, output) ?? toSuccess(backend, checked)
    },
  })
}

/** Mounts an upload. Its body is passed to the handler as a stream, whatever its content type. */
function mountUpload(app: FastifyInstance, mounted: Mounted, options: MountOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    mountOne(scope, mounted, options)
  })
}

/** Mounts every endpoint of the contract. */
export function mountEndpoints(app: FastifyInstance, options: MountOptions): void {
  const names = Object.keys(endpoints) as readonly EndpointName[]
  for (const name of names) {
    // Handlers are typed by endpoint name. Here the endpoint's schema guarantees the input type.
    const handle = options.handlers[name] as AnyHandler
    const endpoint: Endpoint = endpoints[name]
    // Title and logo are those of this installation, also in front of other backends.
    if (options.companyBackends[endpoint.backend] !== undefined && name !== 'getConsoleSettings') continue
    if (endpoint.file === 'upload') mountUpload(app, { name, endpoint, handle }, options)
    else mountOne(app, { name, endpoint, handle }, options)
  }
}
