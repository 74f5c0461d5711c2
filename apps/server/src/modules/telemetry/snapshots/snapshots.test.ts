import { setTimeout as wait } from 'node:timers/promises'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toCell } from '../../../platform/config/cell.ts'
import { createLatestValues } from '../latest/latest-values.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { createOwnReads, DEDUPE_WINDOW_MS } from '../own-reads.ts'
import { startTestStore } from '../store/store.testkit.ts'
import { createNumbersPart, readNumbers } from './message-numbers.ch.ts'
import { createValuesPart, insertMark, readMark, readNewestValues } from './newest-values.ch.ts'

let client: ClickHouseClient
let close: () => Promise<void>
const NOW = Date.UTC(2026, 10, 28, 12)

beforeAll(async () => {
  ;({ client, close } = await startTestStore())
})
afterAll(() => close())

test('newest values are stored when they change, and read with their instants and quality', async () => {
  const latest = createLatestValues()
  const part = createValuesPart(client, latest)
  const say = (deviceId: number, ts: number, value: number, quality = 0) =>
    latest.apply([{ deviceId, ts, quality, values: [{ metric: 'temp.return', value, quality }] }])
  const read = async (since: number) => {
    const restored = createLatestValues()
    const taken: LatestUpdate[] = []
    await readNewestValues(client, since, (update) => taken.push(update))
    restored.apply(taken)
    return restored
  }
  say(1, NOW, 41.25)
  say(1_000_000, NOW - 5 * DAY_MS, 39)
  latest.apply([
    { deviceId: 2, ts: NOW - 60_000, quality: 4, values: [{ metric: 'bat.v', value: 3.4, quality: 4 }] },
    { deviceId: 2, ts: NOW, quality: 1, values: [{ metric: 'temp.room', value: 20.5, quality: 1 }] },
  ])
  await part.write()
  say(1, NOW + 1_000, 42)
  await part.write()
  const restored = await read(NOW - DAY_MS)
  expect(restored.find(1)).toMatchObject({ ts: NOW + 1_000, quality: 0, metrics: { 'temp.return': 42 } })
  for (const id of [1, 2])
    expect({ ...restored.find(id), version: 0 }).toEqual({ ...latest.find(id), version: 0 })
  // A device that has been silent for longer is not among the newest values of a start.
  expect(restored.find(1_000_000)).toBeUndefined()
  // The rest was stored before, or comes from the snapshot: only the device that changed is stored again.
  const next = createValuesPart(client, restored)
  next.skipPresent()
  await next.write()
  const answer = await client.query({
    query: 'SELECT device FROM newest_values ORDER BY device',
    format: 'JSONCompactEachRow',
  })
  expect((await answer.json<number[]>()).flat()).toEqual([1, 1, 2, 2, 1_000_000])
})

test('runs of numbers are stored when they grow; those of the oldest boots are not read', async () => {
  const runs: StoredRun[] = [
    { gatewayId: 7, boot: 20, from: 0, to: 9 },
    { gatewayId: 7, boot: 20, from: 12, to: 20 },
  ]
  const part = createNumbersPart({ client, of: 'readings', list: () => runs, now: () => NOW })
  const frames = createNumbersPart({
    client,
    of: 'frames',
    list: () => [{ gatewayId: 7, boot: 20, from: 0, to: 1 }],
    now: () => NOW,
  })
  await frames.write()
  await part.write()
  runs.splice(1, 1, { gatewayId: 7, boot: 20, from: 12, to: 25 })
  for (let boot = 1; boot <= 16; boot += 1) runs.push({ gatewayId: 7, boot, from: 0, to: boot })
  await part.write()
  const found: StoredRun[] = []
  await readNumbers(client, 'readings', (run) => found.push(run))
  expect(found.at(0)).toEqual({ gatewayId: 7, boot: 2, from: 0, to: 2 })
  expect(found.slice(-2)).toEqual([
    { gatewayId: 7, boot: 20, from: 0, to: 9 },
    { gatewayId: 7, boot: 20, from: 12, to: 25 },
  ])
  const answer = await client.query({
    query: "SELECT count() FROM watermarks WHERE of = 'readings' AND boot = 20",
    format: 'JSONCompactEachRow',
  })
  // The run from 0 did not grow, so it is there once; both ends of the other one until the engine merges them.
  expect(Number((await answer.json<[string]>())[0]?.[0])).toBeLessThanOrEqual(3)
})

test('the mark that was written last counts, also if the clock was set back', async () => {
  expect(await readMark(client)).toBeUndefined()
  await insertMark(client, NOW + DAY_MS)
  expect(await readMark(client)).toBe(NOW + DAY_MS)
  await wait(5)
  await insertMark(client, NOW + 1)
  expect(await readMark(client)).toBe(NOW + 1)
})

test('each cell has a mark of its own, and starts from that of all companies until it has one', async () => {
  await client.command({ query: 'TRUNCATE TABLE snapshot_mark' })
  await insertMark(client, NOW, 'north')
  expect([await readMark(client, 'north'), await readMark(client, 'south'), await readMark(client)]).toEqual([
    NOW,
    undefined,
    undefined,
  ])
  await insertMark(client, NOW + 5)
  expect([await readMark(client, 'north'), await readMark(client, 'south'), await readMark(client)]).toEqual([
    NOW,
    NOW + 5,
    NOW + 5,
  ])
})

test('a cell does not start from a mark that is older than messages are recognised', async () => {
  const directory = { entries: () => [], findById: () => undefined }
  const clock = { now: () => NOW }
  const cells = [toCell(['north']), undefined]
  const readMarks = () =>
    Promise.all(
      cells.map((cell) => createOwnReads({ clickhouse: client, directory, cell, clock }).readMark()),
    )
  await client.command({ query: 'TRUNCATE TABLE snapshot_mark' })
  await insertMark(client, NOW - DEDUPE_WINDOW_MS)
  expect(await readMarks()).toEqual([NOW - DEDUPE_WINDOW_MS, NOW - DEDUPE_WINDOW_MS])
  await wait(5)
  await insertMark(client, NOW - DEDUPE_WINDOW_MS - 1)
  expect(await readMarks()).toEqual([undefined, NOW - DEDUPE_WINDOW_MS - 1])
})

test('values and numbers of some devices are read without the others', async () => {
  const latest = createLatestValues()
  for (const deviceId of [71, 72, 90])
    latest.apply([
      { deviceId, ts: NOW, quality: 0, values: [{ metric: 'temp.return', value: 40, quality: 0 }] },
    ])
  await createValuesPart(client, latest).write()
  const runs = [71, 90].map((gatewayId) => ({ gatewayId, boot: 1, from: 0, to: 4 }))
  await createNumbersPart({ client, of: 'readings', list: () => runs, now: () => NOW }).write()
  const found: number[] = []
  const ranges = [{ first: 70, last: 75 }]
  await readNewestValues(client, NOW, ({ deviceId }) => found.push(deviceId), ranges)
  await readNumbers(client, 'readings', ({ gatewayId }) => found.push(gatewayId), ranges)
  expect(found).toEqual([71, 72, 71])
})
