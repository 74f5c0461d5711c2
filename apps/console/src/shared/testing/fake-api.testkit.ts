import { type Endpoint, type InputOf, type OutputOf, toUrlPath } from '@isotherm/contract/endpoint'
import type { ErrorCode } from '@isotherm/contract/errors'
import { vi } from 'vitest'
import type { z } from 'zod'

interface Refusal {
  readonly code: ErrorCode
  /** Text that the user reads. */
  readonly text: string
  readonly params?: Readonly<Record<string, unknown>>
}

type Answer = (input: unknown) => Response | Promise<Response>

/** The server of a component test: it answers `fetch`, so that all code of the console above it is real. */
export interface FakeApi {
  /** From now on the endpoint answers these data, or what the function returns for an input. */
  readonly answer: <Each extends Endpoint>(
    endpoint: Each,
    data: OutputOf<Each> | ((input: InputOf<Each>) => OutputOf<Each>),
  ) => void
  /** From now on the endpoint refuses its calls. */
  readonly refuse: (endpoint: Endpoint, refusal: Refusal) => void
  /** From now on calls of the endpoint do not reach the server. */
  readonly disconnect: (endpoint: Endpoint) => void
  /** From now on calls of the endpoint stay without an answer. */
  readonly stall: (endpoint: Endpoint) => void
  /** Inputs of the endpoint's calls so far, oldest first. */
  readonly calls: <Input extends z.ZodType>(endpoint: Endpoint<Input>) => readonly z.output<Input>[]
}

const toJson = (body: unknown): Response => new Response(JSON.stringify(body))

const toSuccess = ({ backend }: Endpoint, data: unknown): unknown =>
  backend === 'usr-cloud' ? { info: 'ok', status: 0, data } : { message: 'success', status: '200', data }

const toFailure = ({ backend }: Endpoint, { code, text, params = {} }: Refusal): unknown =>
  backend === 'usr-cloud'
    ? { info: text, status: 1, code, params }
    : { message: text, status: '500', code, params }

const isFunction = (data: unknown): data is (input: unknown) => unknown => typeof data === 'function'

/** Replaces `fetch` for one test. A call of an endpoint without an answer fails as a call without a connection. */
export function startFakeApi(): FakeApi {
  const answers = new Map<string, Answer>()
  const inputs = new Map<string, unknown[]>()
  const set = (endpoint: Endpoint, answer: Answer) => void answers.set(toUrlPath(endpoint), answer)

  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(address, location.href)
    const input: unknown = typeof body === 'string' ? JSON.parse(body) : Object.fromEntries(searchParams)
    inputs.set(pathname, [...(inputs.get(pathname) ?? []), input])
    const answer = answers.get(pathname)
    if (!answer) throw new TypeError(`no answer for ${pathname}`)
    return answer(input)
  })

  return {
    answer: (endpoint, data) =>
      set(endpoint, (input) => toJson(toSuccess(endpoint, isFunction(data) ? data(input) : data))),
    refuse: (endpoint, refusal) => set(endpoint, () => toJson(toFailure(endpoint, refusal))),
    disconnect: (endpoint) =>
      set(endpoint, () => {
        throw new TypeError('no connection')
      }),
    stall: (endpoint) => set(endpoint, () => new Promise<Response>(() => {})),
    calls: (endpoint) => (inputs.get(toUrlPath(endpoint)) ?? []).map((input) => endpoint.input.parse(input)),
  }
}
