import { type Endpoint, type InputOf, type OutputOf, toUrlPath } from '@isotherm/contract/endpoint'
import type { ErrorCode } from '@isotherm/contract/errors'
import { vi } from 'vitest'
import type { z } from 'zod'

export interface Refusal {
  readonly code: ErrorCode
  /** Text that the user reads. */
  readonly text: string
  readonly params?: Readonly<Record<string, unknown>>
}

type Answer = (input: unknown, token: string | undefined) => Response | Promise<Response>

/** Outcome of a call: data, or a refusal. */
export type Outcome<Data> = { readonly data: Data } | { readonly refusal: Refusal }

export interface FakeApiOptions {
  /** What happens to calls of endpoints without an answer: they `fail` (default) or stay `open`. */
  readonly unanswered?: 'fail' | 'open'
}

/** A fake server for component tests. It replaces `fetch`, so all code of the console above `fetch` is real. */
export interface FakeApi {
  /** From now on the endpoint answers with these data, or with the result of the function for an input. */
  readonly answer: <Each extends Endpoint>(
    endpoint: Each,
    data: OutputOf<Each> | ((input: InputOf<Each>) => OutputOf<Each> | Promise<OutputOf<Each>>),
  ) => void
  /** From now on the function decides the answer, from the input and the token of the call. */
  readonly decide: <Each extends Endpoint>(
    endpoint: Each,
    decide: (input: InputOf<Each>, token: string | undefined) => Outcome<OutputOf<Each>>,
  ) => void
  /** From now on another system (such as a proxy) answers calls of the endpoint. */
  readonly replace: (endpoint: Endpoint, body: string, status?: number) => void
  /** The network between console and server: while it is down, no call reaches the server. */
  readonly network: (state: 'up' | 'down') => void
  /** From now on the endpoint refuses its calls. */
  readonly refuse: (endpoint: Endpoint, refusal: Refusal) => void
  /** From now on calls of the endpoint do not reach the server. */
  readonly disconnect: (endpoint: Endpoint) => void
  /** From now on calls of the endpoint stay without an answer. */
  readonly stall: (endpoint: Endpoint) => void
  /** Ends `stall` or `disconnect`: the endpoint answers again as before them. */
  readonly resume: (endpoint: Endpoint) => void
  /** Number of calls that the console aborted. */
  readonly aborted: () => number
  /** Paths of all calls so far, oldest first. */
  readonly paths: () => readonly string[]
  /** Inputs of the endpoint's calls so far, oldest first. */
  readonly calls: <Input extends z.ZodType>(endpoint: Endpoint<Input>) => readonly z.output<Input>[]
}

const toJson = (body: unknown): Response => new Response(JSON.stringify(body))

const toSuccess = ({ backend }: Endpoint, data: unknown): unknown =>
  backend === 'usr-cloud' ? { info: 'ok', status: 0, data } : { message: 'success', status: '200', data }

/** Status of a failed call in both backends; 11 means that the session has ended. */
const toFailureStatus = (backend: Endpoint['backend'], code: ErrorCode): number => {
  if (code === 'session.expired') return 11
  return backend === 'usr-cloud' ? 1 : 500
}

const toFailure = ({ backend }: Endpoint, { code, text, params = {} }: Refusal): unknown => {
  const status = toFailureStatus(backend, code)
  return backend === 'usr-cloud'
    ? { info: text, status, code, params }
    : { message: text, status: String(status), code, params }
}

const isFunction = (data: unknown): data is (input: unknown) => unknown => typeof data === 'function'

const findToken = (headers: unknown): string | undefined => {
  const given = new Headers(headers as HeadersInit)
  return given.get('token') ?? given.get('authorization')?.replace('Bearer ', '')
}

const failUnconnected = (): never => {
  throw new TypeError('no connection')
}

/** Never answers. Like a browser, it rejects when the caller aborts the call. */
const answerNever = (signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise<Response>((_done, fail) => {
    signal?.addEventListener('abort', () => fail(new DOMException('given up', 'AbortError')))
  })

/** Replaces `fetch` for one test. A call of an endpoint without an answer fails as a call without a connection. */
export function startFakeApi({ unanswered = 'fail' }: FakeApiOptions = {}): FakeApi {
  const answers = new Map<string, Answer>()
  const broken = new Map<string, 'stalled' | 'disconnected'>()
  const inputs = new Map<string, unknown[]>()
  const paths: string[] = []
  let isDown = false
  let aborted = 0
  const set = (endpoint: Endpoint, answer: Answer) => {
    broken.delete(toUrlPath(endpoint))
    answers.set(toUrlPath(endpoint), answer)
  }

  vi.stubGlobal(
    'fetch',
    async (address: string, { body, headers, signal }: RequestInit): Promise<Response> => {
      const { pathname, searchParams } = new URL(address, location.href)
      const input: unknown = typeof body === 'string' ? JSON.parse(body) : Object.fromEntries(searchParams)
      inputs.set(pathname, [...(inputs.get(pathname) ?? []), input])
      paths.push(pathname)
      signal?.addEventListener('abort', () => {
        aborted += 1
      })
      if (isDown || broken.get(pathname) === 'disconnected') return failUnconnected()
      if (broken.get(pathname) === 'stalled') return answerNever(signal)
      const answer = answers.get(pathname)
      if (answer) return answer(input, findToken(headers))
      if (unanswered === 'open') return answerNever(signal)
      throw new TypeError(`no answer for ${pathname}`)
    },
  )

  return {
    answer: (endpoint, data) =>
      set(endpoint, async (input) =>
        toJson(toSuccess(endpoint, isFunction(data) ? await data(input) : data)),
      ),
    decide: (endpoint, decide) =>
      set(endpoint, (input, token) => {
        const outcome = decide(input as InputOf<typeof endpoint>, token)
        return toJson(
          'data' in outcome ? toSuccess(endpoint, outcome.data) : toFailure(endpoint, outcome.refusal),
        )
      }),
    replace: (endpoint, body, status = 200) => set(endpoint, () => new Response(body, { status })),
    network: (state) => {
      isDown = state === 'down'
    },
    refuse: (endpoint, refusal) => set(endpoint, () => toJson(toFailure(endpoint, refusal))),
    disconnect: (endpoint) => void broken.set(toUrlPath(endpoint), 'disconnected'),
    stall: (endpoint) => void broken.set(toUrlPath(endpoint), 'stalled'),
    resume: (endpoint) => void broken.delete(toUrlPath(endpoint)),
    aborted: () => aborted,
    paths: () => [...paths],
    calls: (endpoint) => (inputs.get(toUrlPath(endpoint)) ?? []).map((input) => endpoint.input.parse(input)),
  }
}
