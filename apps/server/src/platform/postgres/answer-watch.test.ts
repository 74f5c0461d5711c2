import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Link, startLink } from '../../faults/link.testkit.ts'
import { toAppError } from '../to-app-error.ts'
import { watchAnswers } from './answer-watch.pg.ts'

const SILENCE_MS = 400

let database: TestDatabase
let link: Link
let pool: pg.Pool
let endWatch: () => Promise<void>
let warnings: object[]
let texts: string[]

function startWatch(databaseUrl: string): void {
  warnings = []
  texts = []
  const warn = (detail: object, text = '') => {
    warnings.push(detail)
    texts.push(text)
  }
  endWatch = watchAnswers([pool], { databaseUrl, log: { warn }, silenceMs: SILENCE_MS })
}

beforeEach(async () => {
  database = await createTestDatabase()
  link = await startLink(Number(new URL(database.url).port))
  pool = new pg.Pool({ connectionString: link.lead(database.url), max: 4, statement_timeout: 500 })
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
  startWatch(database.url)
})
afterEach(async () => {
  await endWatch()
  await pool.end()
  await link.close()
  await database.drop()
})

const query = (text: string) => pool.query<{ pid: number }>(text)
const readPid = async () => (await query('select pg_backend_pid() as pid')).rows[0]?.pid

test('queries on silently dropped connections reject as unavailable, and the free connections are replaced with them', async () => {
  // Four connections are open; two of them are used again after they were dropped.
  const before = await Promise.all(Array.from({ length: 4 }, readPid))
  expect(new Set(before).size).toBe(4)
  link.vanish()
  const outcomes = await Promise.allSettled([query('select 1'), query('select 2')])
  const codes = outcomes.map((one) => one.status === 'rejected' && toAppError(one.reason, 'a call').code)
  expect(codes).toEqual(['server.unavailable', 'server.unavailable'])
  expect(warnings).toEqual([{ open: 2, free: 2 }])
  const after = await Promise.all(Array.from({ length: 4 }, readPid))
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
})

test('a transaction on a silently dropped connection rejects, nothing of it is stored, and its locks are free again after its time limit without a query', async () => {
  await query('create table row (id int)')
  await query('insert into row values (1)')
  const client = await pool.connect()
  await client.query("begin; set local idle_in_transaction_session_timeout = '3s'")
  await client.query('update row set id = 2')
  link.vanish()
  await expect(client.query('commit')).rejects.toThrow('PostgreSQL does not know of this query')
  client.release(true)
  expect((await query('select from row where id = 1')).rowCount).toBe(1)
  const countFree = async () => (await query('select from row for update skip locked')).rowCount
  await expect.poll(countFree, { timeout: 15_000 }).toBe(1)
})

test('a call whose transaction was silently dropped rejects as unavailable', async () => {
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const outcome = await db
    .transaction()
    .execute(async (trx) => {
      await sql`select 1`.execute(trx)
      link.vanish()
      await sql`select 2`.execute(trx)
    })
    .catch((error: unknown) => toAppError(error, 'a call').code)
  expect(outcome).toBe('server.unavailable')
})

test('what PostgreSQL works on goes on, however long it takes, and so does a transaction without a query', async () => {
  const client = await pool.connect()
  await client.query('begin; set local statement_timeout = 0')
  await client.query('select pg_sleep($1)', [(6 * SILENCE_MS) / 1_000])
  // A server that computes between two queries of a transaction.
  await pause(4 * SILENCE_MS)
  // A lock that another holds, as of a second server that changes the tables.
  await client.query('select pg_advisory_xact_lock(1)')
  const waiting = pool.connect().then(async (second) => {
    await second.query('begin; set local statement_timeout = 0')
    await second.query('select pg_advisory_xact_lock(1)')
    await second.query('commit')
    second.release()
  })
  await pause(4 * SILENCE_MS)
  await client.query('commit')
  client.release()
  await waiting
  // The limit of the statement is the first to end what has one.
  await expect(query('select pg_sleep(60)')).rejects.toThrow('statement timeout')
  expect(warnings).toEqual([])
})

test('an answer that arrives while this process stands still counts', async () => {
  const client = await pool.connect()
  const answer = client.query('select 1')
  await pause(0)
  const until = performance.now() + 8 * SILENCE_MS
  while (performance.now() < until);
  expect((await answer).rowCount).toBe(1)
  client.release()
  expect(warnings).toEqual([])
})

test('an answer of many megabytes that is read slowly counts', async () => {
  const client = await pool.connect()
  const { stream } = client.connection
  const answer = client.query("set statement_timeout = 0; select repeat('x', 50000000)")
  for (let part = 0; part < 8; part += 1) {
    stream.pause()
    await pause(SILENCE_MS / 2)
    stream.resume()
    await pause(5)
  }
  await answer
  client.release(true)
  expect(warnings).toEqual([])
})

/** A way to PostgreSQL that ends each connection at once while it refuses. */
async function startRefusing(toPort: number) {
  const requestedAt: number[] = []
  let isRefusing = true
  const server = createServer((near) => {
    requestedAt.push(performance.now())
    if (isRefusing) return near.destroy()
    const far = connect(toPort, '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const accept = (): void => {
    isRefusing = false
  }
  return { port: address.port, requestedAt, accept }
}

test('while PostgreSQL refuses the watch, the next attempt is only after the silence, and the log says once when that begins and ends', async () => {
  await endWatch()
  const refusing = await startRefusing(Number(new URL(database.url).port))
  const url = new URL(database.url)
  url.port = String(refusing.port)
  startWatch(url.href)
  await query('select 1')
  link.vanish()
  const outcome = query('select 2').catch((error: unknown) => toAppError(error, 'a call').code)
  try {
    await expect.poll(() => refusing.requestedAt.length, { timeout: 15_000 }).toBeGreaterThan(3)
    // The elapsed time is in whole milliseconds.
    const pauses = refusing.requestedAt.slice(1).map((at, index) => at - (refusing.requestedAt[index] ?? at))
    expect(Math.min(...pauses)).toBeGreaterThan(SILENCE_MS - 2)
    expect(texts).toEqual(['PostgreSQL cannot be asked whether it works on silent queries'])
  } finally {
    refusing.accept()
    await outcome
  }
  expect(await outcome).toBe('server.unavailable')
  expect(texts.slice(1)).toEqual([
    'PostgreSQL can be asked about silent queries again',
    'connections to PostgreSQL were silently dropped and are replaced',
  ])
})
