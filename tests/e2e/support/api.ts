import type { SeededRole } from '@isotherm/contract/access/roles'
import type { Endpoint } from '@isotherm/contract/endpoint'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import type { z } from 'zod'
import { demoPasswordHash, toAccount } from './accounts.ts'
import { getProductUrl } from './product-url.ts'

/** An answer of the server as JSON, not validated. */
export interface Answer {
  readonly http: number
  readonly body: unknown
}

/** Calls an endpoint directly, without the console. */
export async function callDirectly(
  endpoint: Endpoint,
  input: object,
  token?: string,
  url = getProductUrl(),
): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token) {
    if (endpoint.backend === 'usr-cloud') headers.token = token
    else headers.authorization = `Bearer ${token}`
  }
  const response = await fetch(`${url}${toUrlPath(endpoint)}`, {
    method: endpoint.method,
    headers,
    ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(input) }),
  })
  return { http: response.status, body: await response.json() }
}

/** Calls an endpoint and parses its data by the contract. @throws with the complete answer if it is refused */
export async function callFor<Output extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, Output>,
  input: object,
  token?: string,
  url = getProductUrl(),
): Promise<z.infer<Output>> {
  const answer = await callDirectly(endpoint, input, token, url)
  const data =
    typeof answer.body === 'object' && answer.body !== null && 'data' in answer.body
      ? answer.body.data
      : undefined
  const parsed = endpoint.output.safeParse(data)
  if (!parsed.success)
    throw new Error(`${endpoint.path} answered ${JSON.stringify(answer)}`, { cause: parsed.error })
  return parsed.data
}

export interface ApiSession {
  readonly first: string
  readonly second: string
  readonly userType: string
  readonly uid: string
}

/** Signs in to both backends like the login form, but without a browser. */
export async function signInDirectly(role: SeededRole, url = getProductUrl()): Promise<ApiSession> {
  const credentials = { username: toAccount(role), password: demoPasswordHash }
  const first = await callFor(login, credentials, undefined, url)
  const second = await callFor(tokenLogin, credentials, undefined, url)
  return { first: first.token, second: second.data, userType: second.utype, uid: String(first.uid) }
}
