import { once } from 'node:events'
import { toUrlPath } from '@isotherm/contract/endpoint'
import {
  exportDataRows,
  getDataBuckets,
  getDataSpread,
} from '@isotherm/contract/endpoints/monitoring/history'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { buildAllRollups } from '../../testing/build-rollups.testkit.ts'
import { startTestServer, type Tokens } from '../../testing/server.testkit.ts'

/** A past day of the plant, whenever this test runs. */
const start = Math.floor((Date.now() - 3 * DAY_MS) / DAY_MS) * DAY_MS - 8 * HOUR_MS
const range = { from: start, to: start + DAY_MS }

let server: Awaited<ReturnType<typeof startTestServer>>
let station: Tokens

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('first', ['pe-fmhistory'], ['s1'])
  await server.createAccount('second', ['pe-fmhistory'], ['s1'])
  station = await server.logIn('first')
  const rooms = ['R-b2u1', 'R-b2u2', 'R-b10u1', 'R-b10u2', 'R-b3u1', 'R-b3u2']
  const values = await Promise.all(
    rooms.map(async (serial, index) => ({
      device: await server.deviceId(serial),
      metric: metrics['temp.room'].id,
      value: 20 + index,
      ts: new Date(start + HOUR_MS).toISOString(),
      received: new Date(start + 3_601_000).toISOString(),
      quality: 0,
      node: 1,
      boot: 1,
      seq: index,
      months: 1,
      live: 1,
    })),
  )
  await server.clickhouse.insert({ table: 'readings', values, format: 'JSONEachRow' })
  await buildAllRollups(server, 'Asia/Shanghai')
})
afterAll(() => server.stop())

test('the spread of a metric covers the devices that the caller is granted', async () => {
  const input = { nodes: [], kinds: ['room-sensor'], metric: 'temp.room', level: 'day', ...range }
  const getSpread = async () => (await server.call(getDataSpread, input, station['ht-api'])).data
  await expect
    .poll(getSpread)
    .toMatchObject({ datalist: [{ start, devices: 4, mean: 21.5, min: 20, max: 23 }] })
  const building = { ...input, nodes: [await server.nodeKey('b2')] }
  const { data } = await server.call(getDataSpread, building, station['ht-api'])
  expect(data).toMatchObject({ datalist: [{ devices: 2, mean: 20.5 }] })
  const foreign = { ...input, nodes: [await server.nodeKey('b3')] }
  expect((await server.call(getDataSpread, foreign, station['ht-api'])).code).toBe('node.not-found')
}, 60_000)

test('buckets only contain devices that the caller is granted', async () => {
  const getBuckets = async (serial: string) => {
    const deviceIds = [await server.deviceId(serial)]
    const input = { deviceIds, metrics: ['temp.room'], level: 'day', columns: ['avg', 'total'], ...range }
    return server.call(getDataBuckets, input, station['ht-api'])
  }
  const { data } = await getBuckets('R-b2u2')
  expect(data).toMatchObject({ datalist: [{ metric: 'temp.room', start: [start], avg: [21], total: [1] }] })
  expect((await getBuckets('R-b3u1')).code).toBe('device.not-found')
})

const exported = { kinds: ['room-sensor'], metrics: ['temp.room'], level: 'raw', format: 'csv', ...range }

const readExport = (input: object) =>
  fetch(`http://127.0.0.1:${server.port}${toUrlPath(exportDataRows)}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': 'zh',
      Authorization: `Bearer ${station['ht-api']}`,
    },
    body: JSON.stringify(input),
  })

test('an export is a file with the devices that the caller is granted, in the language of the call', async () => {
  const response = await readExport(exported)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toContain('.csv')
  const [headings, ...rows] = (await response.text()).trim().split('\r\n')
  expect(headings).toContain('编号,名称,位置,指标')
  expect(rows.map((row) => row.split(',')[0]).toSorted()).toEqual(['R-b10u1', 'R-b10u2', 'R-b2u1', 'R-b2u2'])
  expect(rows[0]).toContain('01:00:00')
})

async function listen(token: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token }))
  await expect.poll(() => events.map(({ type }) => type)).toContain('welcome')
  return { events, close: () => socket.close() }
}

test('only the account that exports gets live progress', async () => {
  const mine = await listen(station['ht-api'])
  const theirs = await listen((await server.logIn('second'))['ht-api'])
  await (await readExport({ ...exported, progressId: 'one' })).text()
  await (await readExport({ ...exported, format: 'xlsx', progressId: 'two' })).arrayBuffer()
  await (await readExport(exported)).text()
  const ended = (progressId: string) => ({ type: 'export', progressId, rows: 4, state: 'done' })
  // An export that takes longer also has notifications in between.
  const isProgress = (event: LiveEvent) => event.type === 'export' && event.state === 'running'
  const notified = () => mine.events.slice(1).filter((event) => !isProgress(event))
  await expect.poll(notified).toEqual([ended('one'), ended('two')])
  expect(theirs.events.map(({ type }) => type)).toEqual(['welcome'])
  for (const { close } of [mine, theirs]) close()
})
