import { backends, type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import type { z } from 'zod'
import type { Language } from '../i18n/language.ts'
import { anySignal } from './any-signal.ts'
import { ApiError, type ApiErrorCode } from './api-error.ts'
import { isEnvelope, unwrap } from './unwrap.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** `reject`: the caller handles an expired session. Default `ask`: the user logs in again and the call is repeated. */
  readonly onExpired?: 'ask' | 'reject'
  /** If true, no toast is shown for a network failure, because the caller shows it. */
  readonly quiet?: boolean
  /** Token to use instead of the session's. A logout needs it, because the session is already cleared here. */
  readonly token?: string
}

/** Dependencies of a call. */
export interface CallPorts {
  readonly fetch: typeof fetch
  /** Token of a backend; undefined without a session. */
  readonly findToken: (backend: Endpoint['backend']) => string | undefined
  readonly language: () => Language
  readonly describe: (code: ApiErrorCode, detail: number) => string
  /** Shows and logs a failure of network or HTTP (specification, section 8). */
  readonly reportFailure: (error: ApiError) => void
  /** Called after every call; `reached` is true if the application answered, even with a refusal. */
  readonly recordReach: (reached: boolean) => void
  /** Tries to renew the session after `usedToken` expired; true if the call may be repeated. */
  readonly recoverSession: (usedToken: string | undefined) => Promise<boolean>
}

export type Call = <Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: z.input<Input>,
  options?: CallOptions,
) => Promise<z.output<Output>>

const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'AbortError' || error.name === 'TimeoutError')

/** URL, headers and body of a call. */
export function toRequest(endpoint: Endpoint, input: unknown, token: string | undefined, language: Language) {
  const headers: Record<string, string> = { 'Accept-Language': language }
  if (token !== undefined && endpoint.backend === 'usr-cloud') headers.token = token
  if (token !== undefined && endpoint.backend === 'ht-api') headers.Authorization = `Bearer ${token}`
  if (endpoint.method === 'POST') {
    headers['Content-Type'] = 'application/json'
    return { url: toUrlPath(endpoint), headers, body: JSON.stringify(input) }
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.toString()
  return { url: search ? `${toUrlPath(endpoint)}?${search}` : toUrlPath(endpoint), headers, body: null }
}

/** Creates the function for all calls of the console. */
export function createCall(ports: CallPorts): Call {
  async function send(endpoint: Endpoint, input: unknown, token: string | undefined, signal?: AbortSignal) {
    const { timeoutMs } = backends[endpoint.backend]
    const timeout = AbortSignal.timeout(timeoutMs)
    const { url, headers, body } = toRequest(endpoint, input, token, ports.language())
    let response: Response
    let text: string
    try {
      response = await ports.fetch(url, {
        method: endpoint.method,
        headers,
        body,
        signal: signal ? anySignal([signal, timeout]) : timeout,
      })
      text = await response.text()
    } catch (cause) {
      if (signal?.aborted && isAborted(cause)) throw cause
      const code = timeout.aborted ? 'network.timeout' : 'network.failed'
      ports.recordReach(false)
      throw new ApiError(code, ports.describe(code, timeoutMs / 1000), {}, { cause })
    }
    const answer = readJson(text)
    const hasEnvelope = isEnvelope(endpoint.backend, answer)
    ports.recordReach(hasEnvelope)
    if (!hasEnvelope && response.status >= 400)
      throw new ApiError('http.failed', ports.describe('http.failed', response.status), {}, { cause: text })
    return unwrap(endpoint, answer)
  }

  return async (endpoint, input, options = {}) => {
    // A public call carries no token, so a login does not send the token of the session that it replaces.
    const findToken = () =>
      endpoint.access.kind === 'public' ? undefined : ports.findToken(endpoint.backend)
    const usedToken = options.token ?? findToken()
    let data: unknown
    try {
      data = await send(endpoint, input, usedToken, options.signal).catch(async (error: unknown) => {
        const expired = error instanceof ApiError && error.code === 'session.expired'
        if (!expired || options.onExpired === 'reject' || endpoint.access.kind === 'public') throw error
        if (!(await ports.recoverSession(usedToken))) throw error
        return send(endpoint, input, findToken(), options.signal)
      })
    } catch (error) {
      if (!options.quiet && isTransportFailure(error)) ports.reportFailure(error)
      throw error
    }
    const output = endpoint.output.safeParse(data)
    if (output.success) return output.data
    throw new ApiError(
      'response.malformed',
      ports.describe('response.malformed', 0),
      {},
      { cause: output.error },
    )
  }
}

/** Parsed JSON of an answer; null if it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isTransportFailure = (error: unknown): error is ApiError =>
  error instanceof ApiError && !error.isRefusal
