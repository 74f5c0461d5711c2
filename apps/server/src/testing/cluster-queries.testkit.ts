import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { readNewestAt } from '../modules/balancing/measurements/newest-at.ch.ts'
import { readReadings } from '../modules/balancing/measurements/readings.ch.ts'
import { readSlotMeans } from '../modules/balancing/measurements/slot-means.ch.ts'
import { readReturns } from '../modules/balancing/now/trend.ch.ts'
import { readTravel } from '../modules/balancing/now/valve-travel.ch.ts'
import { readHours as readSavingHours } from '../modules/balancing/savings/hours.ch.ts'
import { readHeads } from '../modules/balancing/settling/head-history.ch.ts'
import { readLastMoves } from '../modules/balancing/settling/last-moves.ch.ts'
import { readResponses } from '../modules/balancing/settling/responses.ch.ts'
import { toHeatingSeason } from '../modules/history/calendar/heating-season.ts'
import { createLocalDays } from '../modules/history/calendar/local-days.ts'
import { countExportRows, readExportRows } from '../modules/history/export/export-rows.ch.ts'
import { readBuckets } from '../modules/history/queries/buckets.ch.ts'
import { readCurves } from '../modules/history/queries/curves.ch.ts'
import { createRows } from '../modules/history/queries/rows.ch.ts'
import { readSpread } from '../modules/history/queries/spread.ch.ts'
import { findStored, readValve } from '../modules/irrigation/observed/readings.ch.ts'
import { readWeatherDays } from '../modules/irrigation/weather/weather.ch.ts'
import {
  readOutdoorDays,
  readRegisterDays,
  readRegisterEnds,
} from '../modules/meters/store/register-days.ch.ts'
import { findMeanDates, readCompliance } from '../modules/rooms/compliance/read-compliance.ch.ts'
import { readRecentFalls } from '../modules/rooms/store/recent-falls.ch.ts'
import { findSensorAt } from '../modules/rooms/visits/sensor-at.ch.ts'
import { readDaySums, readDayTotals, readMeans } from '../modules/statistics/store/day-sums.ch.ts'
import type { LatestUpdate } from '../modules/telemetry/messages/latest-update.ts'
import type { StoredRun } from '../modules/telemetry/messages/message-key.ts'
import { createListQuarantine } from '../modules/telemetry/quarantine/quarantine-list.ch.ts'
import { createListRawFrames } from '../modules/telemetry/raw/raw-list.ch.ts'
import { readStoredFrames } from '../modules/telemetry/raw/raw-store.ch.ts'
import { readNumbers } from '../modules/telemetry/snapshots/message-numbers.ch.ts'
import { readMark, readNewestValues } from '../modules/telemetry/snapshots/newest-values.ch.ts'
import { findWithReadings, readLatest } from '../modules/telemetry/store/readings.ch.ts'
import { readStored } from '../modules/telemetry/store/stored-runs.ch.ts'
import { findStoredValues } from '../modules/telemetry/store/stored-values.ch.ts'
import { readOutdoorSteps } from '../modules/weather/outdoor-hours.ch.ts'
import type { ClickHouseClient } from '../platform/clickhouse/clickhouse.ch.ts'
import { scopeOfEverything } from '../platform/scope/scope.ts'

export const ZONE = 'Asia/Shanghai'
/** Four days over the end of a month. */
export const START = Date.UTC(2026, 9, 29, 16)
export const END = START + 4 * DAY_MS
const DEVICES = 12
const STEP_MS = 1_800_000

const ids = Array.from({ length: DEVICES }, (_, index) => index + 1)
const named: readonly MetricName[] = [
  'temp.room',
  'temp.return',
  'valve.opening',
  'heat.flow',
  'heat.energy',
  'meter.hours',
  'temp.outdoor',
  'pump.target',
  'rain.total',
]

/** Readings of all devices each half hour, some doubtful, some twice with the second value in force. */
export async function fillReadings(client: ClickHouseClient): Promise<void> {
  const metricIds = named.map((name) => metrics[name].id)
  for (const [twice, condition] of [
    [0, 'true'],
    [1, 'device % 5 = 0 AND step % 7 = 0'],
  ] as const)
    await client.command({
      query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
        SELECT device, metric, fromUnixTimestamp64Milli(${START} + step * ${STEP_MS}, 'UTC'),
          round(15 + (device * 7 + step * 13 + ${twice}) % 50 / 5 + if(metric IN (${metrics['heat.energy'].id}, ${metrics['rain.total'].id}), step, 0), 2),
          if((device + step) % 29 = 0, 2, 0), fromUnixTimestamp64Milli(${START} + step * ${STEP_MS} + 1000 + ${twice}, 'UTC'),
          device % 4 + 1, 1, step, 1, 1
        FROM (SELECT number % ${DEVICES} + 1 AS device, intDiv(number, ${DEVICES}) AS step FROM numbers(${(DEVICES * (END - START)) / STEP_MS}))
        ARRAY JOIN [${metricIds.join(',')}] AS metric WHERE ${condition}`,
    })
}

const directory = { find: () => undefined, findById: () => undefined }

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** What a call gives to its last parameter. */
async function taken<Item>(call: (take: (item: Item) => void) => Promise<void>): Promise<Item[]> {
  const all: Item[] = []
  await call((item) => all.push(item))
  return all
}

/** Order does not matter where a query has none. */
const sorted = (items: readonly unknown[]): readonly string[] =>
  items.map((item) => JSON.stringify(item)).toSorted()

const toLines = (updates: readonly LatestUpdate[]) =>
  sorted(
    updates.map(({ deviceId, ts, quality, values }) => [
      deviceId,
      ts,
      quality,
      values[0]?.metric,
      values[0]?.value,
    ]),
  )

/** Results of all queries over readings and rollups, by name. `closedMs`: end of the rollups. */
export async function readAll(client: ClickHouseClient, closedMs: number | undefined) {
  const days = createLocalDays(ZONE)
  const calendar = { zone: ZONE, season: toHeatingSeason('10-15/03-15') }
  const rows = createRows(client)
  const range = { from: START, to: END }
  const [first, last] = [START / DAY_MS + 1 / 3, END / DAY_MS + 1 / 3]
  const spans = [
    { from: Math.round(first), to: Math.round(first) + 2 },
    { from: Math.round(first) + 2, to: Math.round(last) },
  ]
  const span = { from: Math.round(first), to: Math.round(last) }
  const localDays = Array.from({ length: 4 }, (_, index) => {
    const from = START + index * DAY_MS
    return { date: days.toDate(from), from, to: from + DAY_MS }
  })
  const query = {
    deviceIds: ids,
    metricIds: [metrics['temp.room'].id, metrics['valve.opening'].id],
    ...range,
  }
  const limiter = { page: 1, size: 20 }
  const meanDates = await findMeanDates(client, localDays, ZONE)
  const compliance = { deviceIds: ids, days: localDays, rules: defaultRoomRules, zone: ZONE }
  const sums = { mean: 'mean', low: 'low' }
  const exported = (level: 'raw' | 'hour' | 'day') =>
    collect(readExportRows(client, ZONE, { ...query, level }, level === 'raw' ? 2_000 : undefined))
  return {
    curvesRaw: await readCurves(rows, { ...query, deviceIds: [3, 5], maxPoints: 1_000 }, closedMs, days),
    curvesExtremes: await readCurves(rows, { ...query, maxPoints: 40 }, closedMs, days),
    bucketsHour: await readBuckets(
      rows,
      { ...query, level: 'hour', columns: ['avg', 'min', 'max', 'first', 'last', 'total', 'good'] },
      closedMs,
      days,
      calendar,
    ),
    bucketsDay: await readBuckets(
      rows,
      { ...query, level: 'day', columns: ['avg', 'last'] },
      closedMs,
      days,
      calendar,
    ),
    bucketsSeason: await readBuckets(
      rows,
      { ...query, level: 'season', columns: ['avg'] },
      closedMs,
      days,
      calendar,
    ),
    spread: await readSpread(
      rows,
      { ...range, deviceIds: ids, metricId: metrics['temp.room'].id, isCounter: false, level: 'day' },
      days,
      calendar,
    ),
    spreadCounter: await readSpread(
      rows,
      {
        ...range,
        deviceIds: undefined,
        metricId: metrics['heat.energy'].id,
        isCounter: true,
        level: 'month',
      },
      days,
      calendar,
    ),
    // Rows that are not merged yet count twice, so the number itself may differ.
    isExportCounted: (await countExportRows(client, ZONE, { ...query, level: 'hour' })) > 1_000,
    exportRaw: (await exported('raw'))
      .flat()
      .map(({ rows: text }) => text)
      .join(';'),
    exportHour: await exported('hour'),
    exportDay: await exported('day'),
    means: await collect(readMeans(client, 'temp.room', ids, spans)).then((all) =>
      all.map(({ from, devices, means }) => [from, sorted(devices.map((id, at) => [id, means[at]]))]),
    ),
    daySums: await collect(readDaySums(client, { metric: 'temp.room', deviceIds: ids, spans }, sums)).then(
      (all) =>
        all.map(({ from, devices, lists }) => [
          from,
          sorted(devices.map((id, at) => [id, lists.mean[at], lists.low[at]])),
        ]),
    ),
    dayTotals: await collect(
      readDayTotals(client, {
        metric: 'temp.room',
        deviceIds: ids,
        spans,
        includesUntrusted: true,
        values: { hours: 'hours' },
        given: spans.map((_, at) => 20.5 + at),
        totals: { hours: 'sum(least(toFloat64(hours), given))' },
      }),
    ),
    meanDates: [...meanDates].toSorted(),
    compliance: sorted(await readCompliance(client, compliance, meanDates)),
    complianceOfHours: sorted(await readCompliance(client, compliance, new Set())),
    falls: sorted([...(await readRecentFalls(client, ids, END - 6 * HOUR_MS))]),
    sensorAt: [await findSensorAt(client, 7, START + DAY_MS)],
    registerDays: [...(await readRegisterDays(client, ids, span))],
    registerEnds: sorted(await readRegisterEnds(client, ids, span)),
    outdoorDays: sorted([...(await readOutdoorDays(client, ids, span))]),
    outdoorSteps: await readOutdoorSteps(client, ids, { ...range, stepMs: 6 * HOUR_MS }),
    weatherDays: await readWeatherDays(client, ids, span.from, span.to, 3),
    returns: await readReturns(client, { ...range, deviceIds: ids, slotMs: 3 * HOUR_MS }),
    travel: sorted([...(await readTravel(client, ids, range)).byDevice]),
    newestAt: sorted([...(await readNewestAt(client, ids, 'temp.return', range))]),
    slots: [
      ...((await readSlotMeans(client, ids, ['temp.room'], { ...range, slotMs: HOUR_MS }))(9, 'temp.room') ??
        []),
    ],
    readings: (await readReadings(client, ids, ['temp.return'], range))(11, 'temp.return'),
    heads: await readHeads(client, 4, range),
    lastMoves: sorted([...(await readLastMoves(client, ids, range))]),
    responses: sorted([...(await readResponses(client, ids, { ...range, stepMs: HOUR_MS }))]),
    savings: sorted([
      ...((await readSavingHours(client, ids, ['temp.room'], [range]))(6, 'temp.room') ?? []),
    ]),
    storedOfValves: [...(await findStored(client, { deviceIds: ids, since: 0, from: START }))]
      .map(([id, { firstMs }]) => [id, firstMs])
      .toSorted(),
    valve: await readValve(client, 10, START, START + HOUR_MS * 8),
    storedValues: sorted([
      ...(await findStoredValues(client, [
        { deviceId: 5, metric: 'temp.room', ts: START },
        { deviceId: 6, metric: 'temp.room', ts: START + 1 },
      ])),
    ]),
    withReadings: [await findWithReadings(client, [5, 4_000])],
    latest: toLines(await taken((take) => readLatest(client, { since: START }, take, 5_000))),
    latestReceived: toLines(
      await taken((take) => readLatest(client, { since: START, receivedSince: END - HOUR_MS }, take, 100)),
    ),
    stored: await taken<StoredRun>((take) => readStored(client, START, take, { rowsAtOnce: 5_000 })),
    storedOfSome: await taken<StoredRun>((take) =>
      readStored(client, START, take, { nodes: [{ first: 2, last: 3 }] }),
    ),
    storedFrames: await taken<StoredRun>((take) => readStoredFrames(client, 0, take)),
    numbers: await taken<StoredRun>((take) => readNumbers(client, 'readings', take)),
    mark: [await readMark(client), await readMark(client, 'north')],
    newest: toLines(await taken((take) => readNewestValues(client, 0, take))),
    frames: await createListRawFrames(client, directory, { now: () => END })(scopeOfEverything, {
      deviceId: 1,
      limiter,
    }),
    quarantine: await createListQuarantine(client, directory, undefined)(scopeOfEverything, { limiter }),
  }
}
