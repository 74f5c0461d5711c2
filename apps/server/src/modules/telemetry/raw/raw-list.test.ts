import { RECENT_FRAMES_MS } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { startTestStore } from '../store/store.testkit.ts'
import { createListRawFrames } from './raw-list.ch.ts'

const NOW = Date.UTC(2026, 10, 21)
const CONCENTRATORS = 20
/** Frames per gateway, as many as one block of the index of devices. */
const FRAMES_EACH = 32_768
const ROWS = CONCENTRATORS * FRAMES_EACH

let client: ClickHouseClient
let close: () => Promise<void>

const RETIRED = 7_050

/** Gateway n has the valves 1000 n + 1 to 1000 n + 50. 7,050 is retired; 7,007 was behind gateway 8 earlier. */
function findById(id: number): DirectoryEntry | undefined {
  if (id === RETIRED || !(id < 21_000)) return undefined
  const gatewayId = id < 1_000 ? id : Math.floor(id / 1_000)
  const own = { id, tenant: 'demo', serial: `s${id}`, periodS: 5 }
  return id === gatewayId
    ? { ...own, kind: 'concentrator', path: `/1/${gatewayId}/`, concentratorId: undefined }
    : { ...own, kind: 'valve', path: `/1/${gatewayId}/${id}/`, concentratorId: gatewayId }
}
const directory = {
  findById,
  find: (_tenant: string, serial: string) =>
    serial.startsWith('s') ? findById(Number(serial.slice(1))) : undefined,
}

beforeAll(async () => {
  ;({ client, close } = await startTestStore())
  // Twenty days of frames until now, each with different bytes (100).
  await client.command({
    query: `INSERT INTO raw_frames (node, ts, boot, seq, part, device, sent, received, named, bytes)
      SELECT intDiv(number, ${FRAMES_EACH}) + 1 AS unit, ${NOW} - (${FRAMES_EACH} - 1 - turn) * intDiv(${20 * DAY_MS}, ${FRAMES_EACH}), 1,
        number % ${FRAMES_EACH} AS turn, 0, unit * 1000 + turn % 50 + 1, 0,
        fromUnixTimestamp64Milli(${NOW} - (${FRAMES_EACH} - 1 - turn) * intDiv(${20 * DAY_MS}, ${FRAMES_EACH})), 'x', randomString(100)
      FROM numbers(${ROWS})`,
  })
  await insert({ node: 8, device: 7_007, named: 's7007', bytes: 'behind 8' })
})
afterAll(() => close())

const common = { ts: NOW - 1, boot: 2, seq: 1, part: 0, sent: 0, received: new Date(NOW - 1).toISOString() }
const insert = (frame: { node: number; device: number; named: string; bytes: string; received?: string }) =>
  client.insert({ table: 'raw_frames', values: [{ ...common, ...frame }], format: 'JSONEachRow' })

const statistics = z.object({ statistics: z.object({ rows_read: z.number(), bytes_read: z.number() }) })

/** Lists frames with the function of the product; returns what its statements read as well. */
async function list(scope: Scope, deviceId: number, range: { from?: number; to?: number } = {}) {
  const requested: { query: string; query_params?: Record<string, unknown> }[] = []
  const watched = new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (given: {
        query: string
        query_params?: Record<string, unknown>
        format: 'JSONCompactEachRow'
      }) => {
        requested.push({ query: given.query, query_params: given.query_params ?? {} })
        return target.query(given)
      }
    },
  })
  const listFrames = createListRawFrames(watched, directory, { now: () => NOW })
  const answer = await listFrames(scope, { deviceId, ...range, limiter: { page: 1, size: 20 } })
  let rows = 0
  let bytes = 0
  for (const statement of requested) {
    const again = await client.query({ ...statement, format: 'JSONCompact' })
    const read = statistics.parse(await again.json()).statistics
    rows += read.rows_read
    bytes += read.bytes_read
  }
  return { ...answer, rows, bytes }
}
const only = (...paths: string[]): Scope => ({ kind: 'paths', paths })

const say = (text: string) => Buffer.from(text).toString('hex')

test.each([
  ['a device', 7_003, scopeOfEverything, 230],
  ['a device, for a user who is granted it', 7_003, only('/1/7/7003/'), 230],
  ['a gateway', 7, scopeOfEverything, 11_469],
  ['a gateway, for a user who is granted it', 7, only('/1/7/'), 11_469 - 230],
])('frames of %s are found without reading those of others', async (_of, deviceId, scope, total) => {
  const found = await list(scope, deviceId)
  expect(found.datalist).toHaveLength(20)
  // The default range is seven of the twenty days.
  expect(Math.abs(found.total - total)).toBeLessThan(5)
  expect(found.datalist.every(({ receivedAt }) => receivedAt > NOW - RECENT_FRAMES_MS)).toBe(true)
  expect(found.rows).toBeLessThan(ROWS / 4)
})

test('without a start the seven days before the given end are listed', async () => {
  const to = NOW - 10 * DAY_MS
  const { datalist, total } = await list(scopeOfEverything, 7_003, { to })
  expect(datalist[0]?.receivedAt).toBeGreaterThan(to - DAY_MS)
  expect((await list(scopeOfEverything, 7_003, { from: to - RECENT_FRAMES_MS, to })).total).toBe(total)
  expect((await list(scopeOfEverything, 7_003, { from: 0 })).total).toBeGreaterThan(650)
})

test('frames of a device from behind another concentrator are included', async () => {
  const { datalist } = await list(scopeOfEverything, 7_007)
  expect(datalist.find(({ hex }) => hex === say('behind 8'))).toMatchObject({ node: 's8', deviceId: 7_007 })
})

test('a frame that is stored twice is listed once, even before its parts are merged', async () => {
  await client.command({ query: 'SYSTEM STOP MERGES raw_frames' })
  const frame = { node: 6, device: 6_007, named: 's6007', bytes: 'twice' }
  const before = await list(scopeOfEverything, 6)
  await insert(frame)
  await insert({ ...frame, received: new Date(NOW - 500).toISOString() })
  const { datalist, total } = await list(scopeOfEverything, 6)
  expect(datalist.filter(({ hex }) => hex === say('twice'))).toHaveLength(1)
  expect(total).toBe(before.total + 1)
})

test('a frame shows its concentrator only to users who are granted it', async () => {
  expect((await list(only('/1/7/'), 7_003)).datalist[0]?.node).toBe('s7')
  const { datalist } = await list(only('/1/7/7003/'), 7_003)
  expect(new Set(datalist.map(({ node }) => node))).toEqual(new Set(['']))
})

test("a frame that names a device elsewhere is hidden from a gateway's list; one that names no known device is not", async () => {
  await insert({ node: 9, device: 0, named: 's8001', bytes: 'of another' })
  await insert({ node: 9, device: 0, named: 's9001', bytes: 'of its own' })
  await insert({ node: 9, device: 0, named: '2511', bytes: 'of none' })
  const hexes = async (scope: Scope) => (await list(scope, 9)).datalist.map(({ hex }) => hex)
  const seen = await hexes(only('/1/9/'))
  expect(seen).toEqual(expect.arrayContaining([say('of its own'), say('of none')]))
  expect(seen).not.toContain(say('of another'))
  const whole = [say('of another'), say('of its own'), say('of none')]
  expect(await hexes(only('/1/'))).toEqual(expect.arrayContaining(whole))
  expect(await hexes(scopeOfEverything)).toEqual(expect.arrayContaining(whole))
})

test('a user who is granted a device sees its frames after it is retired', async () => {
  const { datalist, total } = await list(only('/1/7/'), RETIRED)
  expect(datalist).toHaveLength(20)
  expect(Math.abs(total - 230)).toBeLessThan(5)
  // Frames of a removed device are only visible to a scope that covers everything.
  const { total: ofGateway } = await list(only('/1/7/'), 7)
  expect(ofGateway).toBe((await list(scopeOfEverything, 7)).total - total)
})
