/**
 * Requirements of the product on its engines. Tests the embedded engines; with DATABASE_URL or CLICKHOUSE_URL the same
 * tests run on the real servers. MQTT is in broker-contract.test.ts.
 */
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClickhouse, createTestDatabase, type TestDatabase } from './testkit.ts'

describe('PostgreSQL', () => {
  let database: TestDatabase
  let pool: pg.Pool
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = new pg.Pool({ connectionString: database.url })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  test('text is UTF-8, time is UTC and the version is one we support', async () => {
    const { rows } = await pool.query(
      `SELECT length('二次网') AS length, current_setting('timezone') AS zone,
              current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version`,
    )
    expect(rows).toMatchObject([{ length: 3, encoding: 'UTF8' }])
    expect(['UTC', 'Etc/UTC']).toContain(rows[0].zone)
    expect(rows[0].version).toBeGreaterThanOrEqual(150_000)
  })

  test('a failed transaction leaves nothing, and a listener receives a committed notification', async () => {
    await pool.query('CREATE TABLE account (name text PRIMARY KEY)')
    const listener = await pool.connect()
    const received = new Promise((resolve) =>
      listener.once('notification', ({ payload }) => resolve(payload)),
    )
    await listener.query('LISTEN account')
    const writer = await pool.connect()
    await writer.query('BEGIN')
    await writer.query("INSERT INTO account VALUES ('a')")
    await expect(writer.query("INSERT INTO account VALUES ('a')")).rejects.toMatchObject({ code: '23505' })
    await writer.query('ROLLBACK')
    await writer.query("SELECT pg_notify('account', 'done')")
    expect(await received).toBe('done')
    expect((await writer.query('SELECT * FROM account')).rowCount).toBe(0)
    writer.release()
    listener.release()
  })
})

describe('ClickHouse', () => {
  let database: TestDatabase
  let client: ClickHouseClient
  beforeAll(async () => {
    database = await createTestClickhouse()
    client = createClient({
      url: database.url,
      compression: { request: true, response: true },
      log: { level: 127 },
    })
    await client.command({
      query: `CREATE TABLE reading (device UInt64, ts DateTime64(3, 'UTC'), name LowCardinality(String), value Float64)
              ENGINE = ReplacingMergeTree ORDER BY (device, name, ts)`,
    })
  })
  afterAll(async () => {
    await client.close()
    await database.drop()
  })

  const readAll = async (
    query: string,
    more: Omit<Parameters<ClickHouseClient['query']>[0], 'query'> = {},
  ) => {
    const result = await client.query({ query, ...more, format: 'JSONEachRow' })
    return result.json()
  }
  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return error instanceof ClickHouseError ? `${error.code} ${error.type}` : String(error)
  }

  test('it answers a ping', async () => {
    expect(await client.ping()).toEqual({ success: true })
  })

  test('rows go in as JSONCompactEachRow and JSONEachRow, are counted and come back', async () => {
    const at = '2026-01-05 03:04:05.678'
    const { summary } = await client.insert({
      table: 'reading',
      values: [
        [1, at, '供水', 45.25],
        [1, at, "it's \t\\ \n", -0.5],
      ],
      format: 'JSONCompactEachRow',
    })
    expect(summary?.written_rows).toBe('2')
    const row = { device: 1, ts: at, name: 'c', value: 3 }
    await client.insert({ table: 'reading', values: [row], format: 'JSONEachRow' })
    expect(await readAll('SELECT * FROM reading WHERE device = 1 ORDER BY value')).toMatchObject([
      { name: "it's \t\\ \n", value: -0.5 },
      { name: 'c', ts: at },
      { name: '供水', value: 45.25 },
    ])
  })

  test('binary rows are stored byte for byte, including line ends and zeros', async () => {
    const count = 5_000
    const rows = Buffer.alloc(count * 26)
    for (let i = 0; i < count; i += 1) {
      rows.writeBigUInt64LE(2n, i * 26)
      rows.writeBigInt64LE(1_763_683_200_000n + BigInt(i), i * 26 + 8)
      rows.write('\u0001\n', i * 26 + 16, 'latin1')
      rows.writeDoubleLE(i / 7, i * 26 + 18)
    }
    await client.exec({
      query: 'INSERT INTO reading FORMAT RowBinary',
      values: (await import('node:stream')).Readable.from([rows], { objectMode: false }),
    })
    expect(
      await readAll(
        'SELECT count() AS rows, uniqExact(ts) AS times, sum(value) AS sum FROM reading WHERE device = 2',
      ),
    ).toMatchObject([{ times: count }])
    const [found] = await readAll(
      "SELECT toUInt32(count()) AS rows, abs(sum(value) - sum(toUnixTimestamp64Milli(ts) - 1763683200000) / 7) < 1e-3 AS right FROM reading WHERE device = 2 AND name = '\\n'",
    )
    expect(found).toEqual({ rows: count, right: 1 })
  })

  test('parameters arrive as their types, never as SQL', async () => {
    const text = "'; DROP TABLE reading; -- \\ \t 供"
    const params = { text, list: [1, 2, 3], when: new Date(1_763_683_200_000), table: 'reading', none: null }
    expect(
      await readAll(
        `SELECT {text:String} AS text, {list:Array(UInt8)} AS list, {none:Nullable(String)} AS none,
                toUnixTimestamp({when:DateTime('UTC')}) AS at FROM {table:Identifier} LIMIT 1`,
        { query_params: params },
      ),
    ).toEqual([{ text, list: [1, 2, 3], none: null, at: 1_763_683_200 }])
  })

  test('parameters and settings of one query do not affect the next', async () => {
    const query = 'SELECT {value:UInt8} AS value'
    expect(await readAll(query, { query_params: { value: 7 } })).toEqual([{ value: 7 }])
    expect(await failureOf(readAll(query))).toBe('456 UNKNOWN_QUERY_PARAMETER')
    const limited = { clickhouse_settings: { max_result_rows: '1', result_overflow_mode: 'throw' as const } }
    expect(await failureOf(readAll('SELECT number FROM numbers(5)', limited))).toBe(
      '396 TOO_MANY_ROWS_OR_BYTES',
    )
    expect(await readAll('SELECT number FROM numbers(5)')).toHaveLength(5)
  })

  test('concurrent queries have their own parameters', async () => {
    const values = Array.from({ length: 40 }, (_, i) => i)
    const found = await Promise.all(
      values.map((i) =>
        readAll('SELECT {i:UInt16} AS i, sum(number) AS s FROM numbers(10000)', { query_params: { i } }),
      ),
    )
    expect(found).toMatchObject(values.map((i) => [{ i }]))
  })

  test.each([
    ['SELECT * FROM nothing_here', '60 UNKNOWN_TABLE'],
    ['SELEC 1', '62 SYNTAX_ERROR'],
    ['SELECT 1; DROP TABLE reading', '62 SYNTAX_ERROR'],
    ['SELECT nothing_here FROM reading', '47 UNKNOWN_IDENTIFIER'],
    [
      'SELECT max(sipHash64(number)) FROM system.numbers SETTINGS max_execution_time = 1',
      '159 TIMEOUT_EXCEEDED',
    ],
  ])('%s fails with %s', async (query, expected) => {
    expect(await failureOf(readAll(query))).toBe(expected)
  })

  test('an error in the middle of a long answer reaches the reader', async () => {
    const query = 'SELECT throwIf(number = 3000000) FROM numbers(4000000)'
    const result = await client.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: { max_threads: 1 },
    })
    const drain = async () => {
      for await (const rows of result.stream()) expect(rows.length).toBeGreaterThan(0)
    }
    expect(await failureOf(drain())).toBe('395 FUNCTION_THROW_IF_VALUE_IS_NON_ZERO')
  })

  test('a bad row is refused with a ClickHouse code and nothing of its insert is stored', async () => {
    const values = [
      [9, '2026-01-05 00:00:00.000', 'a', 1],
      ['x', 'y', 'z', 'w'],
    ]
    const format = 'JSONCompactEachRow'
    expect(await failureOf(client.insert({ table: 'reading', values, format }))).toMatch(/^\d+ CANNOT_PARSE/)
    expect(await readAll('SELECT * FROM reading WHERE device = 9')).toEqual([])
  })

  test.each(['1', '2'] as const)(
    'with readonly = %s nothing is written and readonly stays',
    async (readonly) => {
      const readOnly = { clickhouse_settings: { readonly } }
      expect(await readAll('SELECT 1 AS one', readOnly)).toEqual([{ one: 1 }])
      for (const query of [
        "INSERT INTO reading VALUES (1, 0, '', 0)",
        'DROP TABLE reading',
        'SET readonly = 0',
      ]) {
        expect(await failureOf(client.command({ query, ...readOnly }))).toBe('164 READONLY')
      }
      const insert = {
        table: 'reading',
        values: [[8, 0, '', 0]],
        format: 'JSONCompactEachRow' as const,
        ...readOnly,
      }
      expect(await failureOf(client.insert(insert))).toBe('164 READONLY')
    },
  )

  test.each(['JSON', 'CSVWithNames', 'JSONCompactEachRowWithNames'] as const)(
    '%s is one document',
    async (format) => {
      const result = await client.query({ query: 'SELECT number AS n FROM numbers(150000)', format })
      const text = await result.text()
      if (format === 'JSON') expect(JSON.parse(text).rows).toBe(150_000)
      else expect(text.split('\n').filter((line) => line !== '')).toHaveLength(150_001)
    },
  )

  test('a long read does not stop writes', async () => {
    // Takes ten minutes unless it is aborted. The client's abort_signal ends with the headers of the answer; closing does not.
    const long = await client.query({
      query:
        'SELECT sleepEachRow(0.2) FROM numbers(3000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 90000000',
      format: 'JSONEachRow',
    })
    let ended = false
    const rows = long.stream()
    const closed = new Promise<void>((resolve) => rows.once('error', () => resolve()))
    rows.once('end', () => {
      ended = true
    })
    rows.resume()
    const values = [[3, '2026-01-05 00:00:00.000', 'a', 1]]
    for (let i = 0; i < 10; i += 1)
      await client.insert({ table: 'reading', values, format: 'JSONCompactEachRow' })
    expect(ended).toBe(false)
    long.close()
    await closed
  })

  test('a wrong password is refused', async () => {
    const url = new URL(database.url)
    url.password = 'wrong'
    const stranger = createClient({ url: url.href, log: { level: 127 } })
    expect(await failureOf(stranger.query({ query: 'SELECT 1' }))).toBe('516 AUTHENTICATION_FAILED')
    await stranger.close()
  })
})
