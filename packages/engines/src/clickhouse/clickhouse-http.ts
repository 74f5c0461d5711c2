import { randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { createGate, type Gate } from '@isotherm/kernel/gate'
import type { Session } from 'chdb'
import { ClickhouseFailure, toClickhouseFailure } from './clickhouse-errors.ts'
import {
  type ClickhouseRequest,
  checkAccess,
  openBody,
  parseRequest,
  readText,
} from './clickhouse-request.ts'
import type { SessionPool } from './clickhouse-sessions.ts'
import { describeStatement, quoteText, type Statement } from './sql-scan.ts'

export interface ClickhouseFrontOptions {
  readonly sessions: SessionPool
  /** Existing folder for incoming rows. */
  readonly incomingDir: string
  readonly user: string
  readonly password: string
}

/** Longer than a busy client pauses between requests. A connection that the server closes as a request arrives fails it. */
const KEEP_ALIVE_MS = 120_000
const insertLimitBytes = 1 << 30
const queryLimitBytes = 64 << 20
// Formats whose parts can be concatenated.
const streamable =
  /^(?:TSV|TabSeparated|TSVRaw|TabSeparatedRaw|CSV|JSONEachRow|JSONStringsEachRow|JSONCompactEachRow|JSONCompactStringsEachRow|JSONLines|NDJSON|RowBinary|LineAsString|Native)$/i

/** The part of ClickHouse's HTTP interface that the official client uses, on top of a chDB session. */
export function createClickhouseFront(options: ClickhouseFrontOptions): Server {
  // Long reads never use all threads of the engine, so that writes always find one.
  const reads = createGate({
    running: 8,
    waiting: 256,
    refuse: () =>
      new ClickhouseFailure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many simultaneous queries.'),
  })
  const front = { ...options, reads }
  const server = createServer(
    { maxHeaderSize: 1 << 20, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      answer(front, request, response).catch((error: unknown) => fail(request, response, error))
    },
  )
  server.requestTimeout = 0
  return server
}

type Front = ClickhouseFrontOptions & { readonly reads: Gate }

async function answer(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  if (path === '/ping' || path === '/') return void response.end('Ok.\n')
  checkAccess(request, front.user, front.password)
  const parsed = parseRequest(request, randomUUID)
  response.setHeader('X-ClickHouse-Query-Id', parsed.queryId)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')

  const intoTable = describeStatement(parsed.query)
  if (intoTable.kind === 'insert' && !intoTable.inlineData) {
    const body = openBody(request, insertLimitBytes)
    return insertRows(front, parsed, intoTable, body, response)
  }
  const text = await readText(openBody(request, queryLimitBytes))
  const sql = parsed.query === '' ? text : `${parsed.query}\n${text}`
  const statement = describeStatement(sql)
  refuse(sql, statement)
  if (statement.kind === 'read') {
    return front.reads(() => read(front, parsed, sql, statement, response))
  }
  const need = { ...parsed, sql }
  const result = await front.sessions.use(need, statement.kind === 'insert', (session) =>
    session.queryAsync(sql, { format: parsed.defaultFormat }),
  )
  send(parsed, response, statement.format, Buffer.from(result.bytes()), { read: result.rowsRead })
}

function refuse(sql: string, statement: Statement): void {
  if (sql.trim() === '') throw new ClickhouseFailure(62, 'SYNTAX_ERROR', 'Empty query.')
  if (statement.several) {
    throw new ClickhouseFailure(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed).')
  }
  if (statement.touchesFiles) {
    throw new ClickhouseFailure(344, 'SUPPORT_IS_DISABLED', 'INFILE and OUTFILE are not allowed over HTTP.')
  }
}

/** Passes rows to the engine by a file: its reader is the fastest, and the only one that is safe for binary rows. */
async function insertRows(
  front: Front,
  parsed: ClickhouseRequest,
  statement: Statement,
  body: Readable,
  response: ServerResponse,
): Promise<void> {
  const file = join(front.incomingDir, randomUUID())
  const at = statement.sourceAt ?? parsed.query.length
  const sql = `${parsed.query.slice(0, at)} FROM INFILE ${quoteText(file)} ${parsed.query.slice(at)}`
  try {
    await pipeline(body, createWriteStream(file, { mode: 0o600, highWaterMark: 1 << 20 }))
    const need = { ...parsed, sql: parsed.query }
    const result = await front.sessions.use(need, true, (session) => session.queryAsync(sql))
    send(parsed, response, undefined, Buffer.alloc(0), { written: result.rowsRead })
  } finally {
    await rm(file, { force: true })
  }
}

async function read(
  front: Front,
  parsed: ClickhouseRequest,
  sql: string,
  statement: Statement,
  response: ServerResponse,
): Promise<void> {
  if (response.destroyed) return
  const format = statement.format ?? parsed.defaultFormat
  await front.sessions.use({ ...parsed, sql }, true, async (session) => {
    if (streamable.test(format)) return sendStream(parsed, response, session, sql, format)
    const result = await session.queryAsync(sql, { format })
    send(parsed, response, format, Buffer.from(result.bytes()), { read: result.rowsRead })
  })
}

async function sendStream(
  parsed: ClickhouseRequest,
  response: ServerResponse,
  session: Session,
  sql: string,
  format: string,
): Promise<void> {
  const stream = session.queryStream(sql, { format })
  const parts = stream[Symbol.asyncIterator]()
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  if (second.done) {
    const bytes = first.done ? Buffer.alloc(0) : Buffer.from(first.value.raw())
    return send(parsed, response, format, bytes, { read: first.done ? 0 : first.value.numRows })
  }
  const tag = randomBytes(8).toString('hex')
  headers(parsed, response, format, {})
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  const source = Readable.from(follow([first.value.raw(), second.value.raw()], parts, tag), {
    objectMode: false,
  })
  try {
    if (parsed.gzipResponse) await pipeline(source, createGzip({ level: 1 }), response)
    else await pipeline(source, response)
  } catch (error) {
    // The reader has disconnected: end the statement.
    if (!response.destroyed) throw error
  } finally {
    stream.cancel()
  }
}

async function* follow(
  begin: readonly Uint8Array[],
  rest: AsyncIterator<{ raw(): Uint8Array }>,
  tag: string,
): AsyncGenerator<Uint8Array> {
  yield* begin
  try {
    for (let part = await rest.next(); !part.done; part = await rest.next()) yield part.value.raw()
  } catch (error) {
    const message = `${toClickhouseFailure(error).message}\n`
    const size = Buffer.byteLength(message)
    yield Buffer.from(`\r\n__exception__\r\n${tag}\r\n${message}${size} ${tag}\r\n__exception__\r\n`)
  }
}

interface Counts {
  readonly read?: number
  readonly written?: number
}

function send(
  parsed: ClickhouseRequest,
  response: ServerResponse,
  format: string | undefined,
  bytes: Buffer,
  counts: Counts,
): void {
  if (response.destroyed) return
  headers(parsed, response, format, counts)
  response.end(parsed.gzipResponse ? gzipSync(bytes, { level: 1 }) : bytes)
}

function headers(
  parsed: ClickhouseRequest,
  response: ServerResponse,
  format: string | undefined,
  counts: Counts,
): void {
  const summary = {
    read_rows: String(counts.read ?? 0),
    read_bytes: '0',
    written_rows: String(counts.written ?? 0),
    written_bytes: '0',
    result_rows: String(counts.read ?? counts.written ?? 0),
    result_bytes: '0',
  }
  response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary))
  if (format !== undefined) response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('Content-Type', 'application/octet-stream')
  if (parsed.gzipResponse) response.setHeader('Content-Encoding', 'gzip')
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const failure = toClickhouseFailure(error)
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  response.removeHeader('Content-Encoding')
  response.writeHead(failure.status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(failure.code),
    // The rest of a refused body is not read.
    ...(request.complete ? {} : { Connection: 'close' }),
  })
  response.end(`${failure.message}\n`)
}
