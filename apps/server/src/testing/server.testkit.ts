import { type Backend, type Endpoint, toUrlPath, WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { htApiEnvelope, usrCloudEnvelope } from '@isotherm/contract/envelope'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { z } from 'zod'

import { toClientHash } from '../modules/session/sign-in/passwords.ts'
import { laterMigrations } from '../modules.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import { createLog } from '../platform/log.ts'
import { toWorkbook } from '../platform/spreadsheet/workbook-writer.ts'
import { startServer } from '../server.ts'
import { createServerClickhouse } from './clickhouse-database.testkit.ts'
import { createFixtures, createRegistry, createTestConfig, importAndWait } from './core.testkit.ts'
import { createCoreDatabase } from './core-database.testkit.ts'

const issuedToken = z.object({ token: z.string() })
const issuedData = z.object({ data: z.string() })

/** The answer of a call, the same shape for both backends. */
export interface Answer {
  readonly http: number
  readonly status: string
  /** Error code of a failed call. */
  readonly code: string | undefined
  readonly text: string
  readonly data: unknown
  readonly headers: Headers
  /** The raw body. */
  readonly body: string
}

export type Tokens = Readonly<Record<Backend, string>>

export const namedEndpoints: readonly (readonly [EndpointName, Endpoint])[] = (
  Object.keys(endpoints) as EndpointName[]
).map((name) => [name, endpoints[name]] as const)

async function toAnswer(backend: Backend, response: Response): Promise<Answer> {
  const body = await response.text()
  const { http, headers } = { http: response.status, headers: response.headers }
  // Only files have a name.
  if (headers.has('content-disposition')) {
    return { http, headers, body, text: '', status: '200', data: null, code: undefined }
  }
  const raw: unknown = JSON.parse(body)
  if (backend === 'usr-cloud') {
    const { info, status, data, code } = usrCloudEnvelope.parse(raw)
    return { http, headers, body, text: info, status: String(status), data, code }
  }
  const { message, status, data, code } = htApiEnvelope.parse(raw)
  return { http, headers, body, text: message, status, data, code }
}

export interface TestServerOptions {
  readonly rateLimits?: RateLimits
  readonly settings?: Readonly<Record<string, string>>
  /** Companies that are imported; by default the small registry. */
  readonly registries?: readonly RegistryFile[]
  /** Another test server whose stores and registry it shares. Stop this one first. */
  readonly beside?: { readonly config: Config } | undefined
}

const unlimited: RateLimits = {
  requestsPerMinute: 1_000_000,
  publicCallsPerMinute: 1_000_000,
  publicCallsPerNetwork: 1_000_000,
  loggedCallsPerMinute: 1_000_000,
}

/** The input of a GET call as its query string. */
function toQuery(input: unknown): string {
  const fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).parse(input)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value))
  return query.toString()
}

const isQueried = ({ method, file }: Endpoint): boolean => method === 'GET' || file === 'upload'

/** The body of uploads: a workbook with nodes of the small registry. */
async function createWorkbook(): Promise<Buffer> {
  const rows = [
    ['项目', '公司'],
    ['集团', '公司'],
  ]
  const pieces: Buffer[] = []
  for await (const piece of toWorkbook([{ name: '结构', widths: [], rows }])) pieces.push(piece)
  return Buffer.concat(pieces)
}

const reuse = (url: string) => ({ url, drop: async () => undefined })

/** A whole server with the small registry of core.testkit.ts, on its own stores or on those of `beside`. */
export async function startTestServer({
  rateLimits = unlimited,
  settings = {},
  registries = [createRegistry()],
  beside,
}: TestServerOptions = {}) {
  const [database, clickhouse] = beside
    ? [reuse(beside.config.databaseUrl), reuse(beside.config.clickhouseUrl)]
    : await Promise.all([createCoreDatabase(laterMigrations, 'server'), createServerClickhouse()])
  const config = createTestConfig({ DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url, ...settings })
  const log = createLog({ logLevel: 'silent' })
  const server = await startServer({ config, log, clock: systemClock, rateLimits, checkOutput: true })
  if (!beside) for (const registry of registries) await importAndWait(server, registry)
  const base = `http://127.0.0.1:${server.port}`
  let workbook: Promise<Buffer> | undefined
  const toWorkbookBody = () => {
    workbook ??= createWorkbook()
    return workbook
  }

  async function send(endpoint: Endpoint, body: string, headers: Record<string, string>): Promise<Answer> {
    const url = new URL(toUrlPath(endpoint), base)
    const isGet = endpoint.method === 'GET'
    const isUpload = endpoint.file === 'upload'
    if (isGet || isUpload) url.search = body
    const response = await fetch(url, {
      method: endpoint.method,
      headers: {
        'Accept-Language': 'en',
        ...(isGet ? {} : { 'Content-Type': isUpload ? WORKBOOK_TYPE : 'application/json' }),
        ...headers,
      },
      body: isGet ? null : isUpload ? await toWorkbookBody() : body,
    })
    return toAnswer(endpoint.backend, response)
  }

  const toHeaders = (endpoint: Endpoint, token: string | undefined): Record<string, string> => {
    if (token === undefined) return {}
    return endpoint.backend === 'usr-cloud' ? { token } : { Authorization: `Bearer ${token}` }
  }

  /** Calls an endpoint with a token. */
  const call = (endpoint: Endpoint, input: unknown, token?: string, headers: Record<string, string> = {}) =>
    send(endpoint, isQueried(endpoint) ? toQuery(input) : JSON.stringify(input), {
      ...toHeaders(endpoint, token),
      ...headers,
    })

  async function logIn(account: string, password = account): Promise<Tokens> {
    const credentials = { username: account, password: toClientHash(password) }
    const first = await call(endpoints.login, credentials)
    if (first.code !== undefined) throw new Error(`${account} cannot sign in: ${first.text}`)
    const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const second = await call(endpoints.tokenLogin, credentials, undefined, { Cookie })
    return { 'usr-cloud': issuedToken.parse(first.data).token, 'ht-api': issuedData.parse(second.data).data }
  }

  return {
    ...server,
    ...createFixtures(server),
    base,
    send,
    call,
    logIn,
    toHeaders,
    async stop() {
      await server.close()
      await Promise.all([database.drop(), clickhouse.drop()])
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
