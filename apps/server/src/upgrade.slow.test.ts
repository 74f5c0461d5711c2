import { permissions } from '@isotherm/contract/access/permissions'
import type { Endpoint } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { createTestClickhouse, createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { createClickhouse } from './platform/clickhouse/clickhouse.ch.ts'
import { createLog } from './platform/log.ts'
import { createDatabase } from './platform/postgres/database.pg.ts'
import { readVersion } from './read-version.ts'
import { createTestConfig } from './testing/core.testkit.ts'
import { fillAs020, migrateTo020, STORED_AT, STORED_DAY } from './testing/release-0.2.0.testkit.ts'
import { startTestServer, type TestServer, type Tokens } from './testing/server.testkit.ts'

/** Stores that version 0.2.0 made and filled. The present program starts on them. */
let stores: readonly TestDatabase[] = []
let server: TestServer
let tokens: Tokens

beforeAll(async () => {
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  stores = [database, clickhouse]
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  const client = createClickhouse({ clickhouseUrl: clickhouse.url })
  await migrateTo020(db, client)
  await fillAs020(db, client)
  await client.close()
  await db.destroy()
  const config = createTestConfig({ DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url })
  server = await startTestServer({ beside: { config } })
  await server.createAccount('reader', permissions, [], 'provider')
  tokens = await server.logIn('reader')
})
afterAll(async () => {
  await server?.stop()
  await Promise.all(stores.map((store) => store.drop()))
})

async function get<Input extends z.ZodType, Output>(
  endpoint: Endpoint<Input, z.ZodType<Output>>,
  input: z.infer<Input>,
): Promise<Output> {
  const { code, text, data } = await server.call(endpoint, input, tokens[endpoint.backend])
  if (code !== undefined) throw new Error(`${endpoint.path}: ${code} ${text}`)
  return endpoint.output.parse(data)
}

const limiter = { page: 1, size: 100 }

test('an account of 0.2.0 signs in with its password and has its role and its place', async () => {
  const own = await server.logIn('wang')
  const { code, data } = await server.call(endpoints.getSubUser, { filter: [], limiter }, own['ht-api'])
  expect(code).toBeUndefined()
  expect(endpoints.getSubUser.output.parse(data).datalist.map(({ name }) => name)).toEqual(['二号楼'])
})

test('the start is recorded as the first of the present version', async () => {
  const { versions } = await get(endpoints.getBackups, { size: 1 })
  expect(versions).toEqual([{ version: await readVersion(), since: expect.any(Number) }])
})

test('the tree and the devices of 0.2.0 are found in it', async () => {
  const { datalist } = await get(endpoints.searchTree, { text: 'V-b2', size: 100 })
  expect(datalist.map(({ device }) => device?.serial)).toEqual(['V-b2'])
  const devices = await get(endpoints.getDevs, { kind: 'valve', pageNo: 1, pageSize: 100 })
  expect(devices.list).toMatchObject([{ imei: 'V-b2', name: '总阀', limits: { minPct: 10, maxPct: 90 } }])
})

test('commands, holds, limits, alarms and the operation log of 0.2.0 are listed', async () => {
  const commands = await get(endpoints.getCtlLog, { limiter })
  expect(commands.datalist).toMatchObject([{ deviceName: '总阀', state: 'confirmed', openingPct: 60 }])
  const holds = await get(endpoints.getHolds, { limiter })
  expect(holds.datalist).toMatchObject([{ deviceName: '总阀', openingPct: 60, reason: '检修' }])
  const limits = await get(endpoints.getControlLimits, { nodes: ['2'] })
  expect(limits.datalist).toMatchObject([{ maxStepPct: 20 }])
  const alarms = await get(endpoints.getAlarms, {
    nodes: [],
    filter: [],
    open: true,
    suppressed: false,
    limiter,
  })
  expect(alarms.datalist).toMatchObject([{ kind: 'sensor-fault', severity: 'major' }])
  const log = await get(endpoints.getOperations, { account: 'wang', from: STORED_AT, filter: [], limiter })
  expect(log.datalist.map(({ endpoint }) => endpoint)).toContain('publishMqCtlCmd')
})

test('readings of 0.2.0 are in the history', async () => {
  const range = { from: STORED_AT, to: STORED_AT + HOUR_MS }
  const history = await get(endpoints.getDataHisFromDevs, {
    deviceIds: [2],
    metrics: ['valve.opening'],
    ...range,
    maxPoints: 100,
  })
  expect(history.series[0]?.points).toEqual([
    [STORED_AT, 40, 0],
    [STORED_AT + 60_000, 60, 0],
  ])
  const start = Date.parse(`${STORED_DAY}T00:00:00+08:00`)
  const readDay = () =>
    get(endpoints.getDataBuckets, {
      deviceIds: [2],
      metrics: ['valve.opening'],
      level: 'day',
      columns: ['avg', 'max'],
      from: start,
      to: start + DAY_MS,
    })
  // The server reads the progress of the summaries shortly after its start.
  await expect
    .poll(async () => (await readDay()).datalist)
    .toMatchObject([{ deviceId: 2, avg: [35], max: [40] }])
})
