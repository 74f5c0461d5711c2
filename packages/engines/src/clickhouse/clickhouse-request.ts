import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ClickhouseFailure } from './clickhouse-errors.ts'

/** A parsed request of the ClickHouse HTTP interface. */
export interface ClickhouseRequest {
  /** The query of the URL; the body continues it, or contains the rows of an INSERT. */
  readonly query: string
  readonly queryId: string
  readonly database: string
  readonly settings: ReadonlyMap<string, string>
  readonly params: ReadonlyMap<string, string>
  readonly gzipResponse: boolean
  readonly defaultFormat: string
}

// Parameters of the HTTP interface that are not settings of the engine, and settings without effect in one process.
const interfaceWords = new Set([
  'query',
  'query_id',
  'database',
  'user',
  'password',
  'default_format',
  'enable_http_compression',
  'wait_end_of_query',
  'buffer_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'cancel_http_readonly_queries_on_client_close',
  'async_insert',
  'wait_for_async_insert',
  'role',
])
const refusedWords = ['session_id', 'compress', 'decompress', 'query_id_prefix']

/** Throws ClickhouseFailure 48 for parts of the interface that the embedded engine does not have. */
export function parseRequest(request: IncomingMessage, newId: () => string): ClickhouseRequest {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const at = (name: string) => url.searchParams.get(name)
  for (const name of refusedWords) {
    if (at(name)) {
      throw new ClickhouseFailure(
        48,
        'NOT_IMPLEMENTED',
        `The embedded engine has no '${name}'; set CLICKHOUSE_URL.`,
      )
    }
  }
  const settings = new Map<string, string>()
  const params = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value)
    else if (!interfaceWords.has(name)) settings.set(name, value)
  }
  // As on a server, a GET never changes anything.
  if (request.method !== 'POST' && settings.get('readonly') !== '2') settings.set('readonly', '1')
  const accepts = String(request.headers['accept-encoding'] ?? '')
  return {
    query: at('query') ?? '',
    queryId: at('query_id') ?? newId(),
    database: at('database') ?? header(request, 'x-clickhouse-database') ?? 'default',
    settings,
    params,
    gzipResponse: at('enable_http_compression') === '1' && /\bgzip\b/.test(accepts),
    defaultFormat: at('default_format') ?? header(request, 'x-clickhouse-format') ?? 'TabSeparated',
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Throws ClickhouseFailure 516 unless the request names the user with the password. */
export function checkAccess(request: IncomingMessage, user: string, password: string): void {
  const [givenUser, givenPassword] = givenAccess(request)
  const right = equal(givenUser, user)
  if (equal(givenPassword, password) && right) return
  throw new ClickhouseFailure(
    516,
    'AUTHENTICATION_FAILED',
    'Authentication failed: password is incorrect, or there is no user with such name.',
  )
}

function givenAccess(request: IncomingMessage): [string, string] {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
  }
  const key = header(request, 'x-clickhouse-key')
  const name = header(request, 'x-clickhouse-user')
  if (key !== undefined || name !== undefined) return [name ?? '', key ?? '']
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  return [searchParams.get('user') ?? '', searchParams.get('password') ?? '']
}

function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** The decompressed body; fails if its decompressed size exceeds the limit. */
export function openBody(request: IncomingMessage, limitBytes: number): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= limitBytes) done(null, chunk)
      else done(new ClickhouseFailure(307, 'TOO_MANY_BYTES', `The body is larger than ${limitBytes} bytes.`))
    },
  })
  if (encoding === 'gzip') pipeline(request, createGunzip(), meter, () => {})
  else if (encoding === 'identity') pipeline(request, meter, () => {})
  else
    throw new ClickhouseFailure(
      48,
      'NOT_IMPLEMENTED',
      `Content-Encoding '${encoding}' is not supported, gzip is.`,
    )
  return meter
}

/** The whole body as text. */
export async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
