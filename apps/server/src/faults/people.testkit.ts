import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { htApiEnvelope, usrCloudEnvelope } from '@isotherm/contract/envelope'
import type { z } from 'zod'
import { DEMO_PASSWORD, toClientHash } from '../modules/session/index.ts'

/** The answer of a server in another process, as the console sees it. */
export interface Seen<Output> {
  readonly http: number
  /** Undefined if the call succeeded. */
  readonly code: string | undefined
  /** The text that the user reads. */
  readonly text: string
  /** Undefined if the call failed. */
  readonly data: Output | undefined
  readonly ms: number
}

/** A person who has signed in. */
export interface Person {
  readonly bearer: string
  call<Input extends z.ZodType, Output>(
    endpoint: Endpoint<Input, z.ZodType<Output>>,
    input: z.input<Input>,
  ): Promise<Seen<Output>>
}

async function send(base: string, endpoint: Endpoint, input: unknown, headers: Record<string, string>) {
  const startedMs = performance.now()
  const response = await fetch(`${base}${toUrlPath(endpoint)}`, {
    method: endpoint.method,
    headers: { 'Accept-Language': 'en', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(input),
  })
  const raw: unknown = await response.json()
  const seen = { http: response.status, ms: performance.now() - startedMs }
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  if (endpoint.backend === 'usr-cloud') {
    const { info, data, code } = usrCloudEnvelope.parse(raw)
    return { ...seen, cookie, code, text: info, data }
  }
  const { message, data, code } = htApiEnvelope.parse(raw)
  return { ...seen, cookie, code, text: message, data }
}

/** Signs in with a demo account of a server in demo mode. */
export async function signIn(base: string, username = 'admin'): Promise<Person> {
  const credentials = { username, password: toClientHash(DEMO_PASSWORD) }
  const first = await send(base, endpoints.login, credentials, {})
  const second = await send(base, endpoints.tokenLogin, credentials, { Cookie: first.cookie })
  const { data: bearer } = endpoints.tokenLogin.output.parse(second.data)
  return {
    bearer,
    async call(endpoint, input) {
      const Authorization = `Bearer ${bearer}`
      const { data, cookie: _, ...seen } = await send(base, endpoint, input, { Authorization })
      return { ...seen, data: seen.code === undefined ? endpoint.output.parse(data) : undefined }
    },
  }
}
