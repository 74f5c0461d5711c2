import type { ClickHouseClient } from '@clickhouse/client'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS, WEEK_MS } from '@isotherm/kernel/durations'
import { createLatestValues } from '../../apps/server/src/modules/telemetry/latest/latest-values.ts'
import { toDeviceState } from '../../apps/server/src/modules/telemetry/queries/latest-states.ts'
import { readLatest } from '../../apps/server/src/modules/telemetry/store/readings.ch.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import type { Session } from '../registry/server-calls.ts'
import { type Compared, compare, time, toTimes } from '../registry/timing.ts'
import { type GeneratedReadings, pickDevices } from './readings.ts'

const ROOM = metrics['temp.room'].id

/** Time of a query until its last byte is read, ms. */
async function timePlain(client: ClickHouseClient, query: string): Promise<number> {
  return time(async () => {
    const answer = await client.query({ query, format: 'JSONCompactEachRow' })
    await answer.json()
  })
}

const instant = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${ms}))`

/** Times of all readings of one valve over a week. */
export async function measureDevice(
  session: Session,
  client: ClickHouseClient,
  made: GeneratedReadings,
): Promise<Compared> {
  const { to } = made
  const devices = await pickDevices(client, 'valve', 100, made)
  const names = ['valve.opening', 'temp.return'] as const
  const ids = names.map((name) => metrics[name].id).join(',')
  const from = to - WEEK_MS
  return compare(
    devices,
    1,
    async (id) => {
      const input = { deviceIds: [id], metrics: [...names], from, to, maxPoints: 2_000 }
      const { data, ms } = await session.call(endpoints.getDataHisFromDevs, input)
      if (data.series.some(({ points }) => points.length < 600)) throw new Error('a curve lacks readings')
      return ms
    },
    (id) =>
      timePlain(
        client,
        `SELECT metric, toUnixTimestamp64Milli(ts), value, quality FROM readings FINAL
         WHERE device = ${id} AND metric IN (${ids}) AND ts >= ${instant(from)} AND ts < ${instant(to)} ORDER BY metric, ts`,
      ),
  )
}

/** Times of hourly means, minima and maxima of 500 room sensors over a week. */
export async function measureHourly(
  session: Session,
  client: ClickHouseClient,
  made: GeneratedReadings,
): Promise<Compared> {
  const { to } = made
  const deviceIds = await pickDevices(client, 'room-sensor', 500, made)
  const end = Math.floor(to / HOUR_MS) * HOUR_MS
  const from = end - WEEK_MS
  return compare(
    [deviceIds],
    10,
    async () => {
      const range = { level: 'hour', from, to: end } as const
      const { data, ms } = await session.call(endpoints.getDataBuckets, {
        deviceIds,
        metrics: ['temp.room'],
        columns: ['avg', 'min', 'max'],
        ...range,
      })
      const buckets = data.datalist.reduce((sum, { start }) => sum + start.length, 0)
      if (buckets < deviceIds.length * 160) throw new Error(`only ${buckets} hours were answered`)
      return ms
    },
    () =>
      timePlain(
        client,
        `SELECT device, toUnixTimestamp(toStartOfHour(ts)) AS hour, avg(value), min(value), max(value) FROM readings FINAL
         WHERE device IN (${deviceIds.join(',')}) AND metric = ${ROOM} AND ts >= ${instant(from)} AND ts < ${instant(end)}
         GROUP BY device, hour ORDER BY device, hour`,
      ),
  )
}

/** Kinds of devices and metrics that are queried for the whole company. */
const spreads = [
  { kind: 'room-sensor', metric: 'temp.room' },
  { kind: 'valve', metric: 'temp.return' },
] as const

/** Times of daily statistics of the whole company over a month: room or return temperatures, the slower of both. */
export async function measureCompany(
  session: Session,
  client: ClickHouseClient,
  { from, to }: GeneratedReadings,
): Promise<Compared & { readonly metric: string }> {
  const measured = []
  for (const { kind, metric } of spreads) {
    const input = { nodes: [], kinds: [kind], metric, level: 'day' as const, from, to }
    const compared = await compare(
      [input],
      5,
      async () => {
        const { data, ms } = await session.call(endpoints.getDataSpread, input)
        if (data.datalist.length < 29) throw new Error(`only ${data.datalist.length} days were answered`)
        return ms
      },
      () =>
        timePlain(
          client,
          `SELECT day, count(), avg(v), quantilesExact(0.1, 0.25, 0.5, 0.75, 0.9)(v) FROM (
             SELECT toDate(ts, 'Asia/Shanghai') AS day, device, avg(value) AS v FROM readings
             WHERE metric = ${metrics[metric].id} AND ts >= ${instant(from)} AND ts < ${instant(to)}
               AND device IN (SELECT device FROM bench_devices WHERE kind = '${kind}') GROUP BY day, device)
           GROUP BY day ORDER BY day`,
        ),
    )
    measured.push({ ...compared, metric })
  }
  const [rooms, returns] = measured
  if (!rooms || !returns) throw new Error('the company was not queried')
  return rooms.ours.p50 >= returns.ours.p50 ? rooms : returns
}

export interface LatestMeasured extends Compared {
  /** Time that a starting server takes to load the newest values, ms. */
  readonly restoreMs: number
}

/** Times of the newest values of 100,000 devices, from the server's memory to the text of an answer. */
export async function measureLatest(
  client: ClickHouseClient,
  { to }: GeneratedReadings,
): Promise<LatestMeasured> {
  const latest = createLatestValues()
  const ids = new Set<number>()
  const restoreMs = await time(() =>
    readLatest(client, { since: to - DAY_MS }, (update) => {
      ids.add(update.deviceId)
      latest.apply([update])
    }),
  )
  const selected = [...ids].slice(0, 100_000)
  const ours: number[] = []
  const plain: number[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const began = performance.now()
    const states = selected.flatMap((id) => latest.find(id) ?? [])
    const text = JSON.stringify({ datalist: states.map(toDeviceState), total: states.length })
    ours.push(performance.now() - began)
    if (text.length < selected.length * 20) throw new Error('newest values are missing')
    if (turn >= 3) continue
    plain.push(
      await timePlain(
        client,
        `SELECT device, metric, argMax(value, ts), max(ts) FROM readings WHERE ts >= ${instant(to - DAY_MS)}
         AND device <= ${selected.reduce((max, id) => Math.max(max, id), 0)} GROUP BY device, metric`,
      ),
    )
  }
  return { ours: toTimes(ours), plain: toTimes(plain), restoreMs }
}

/** A log without output, for the migrations. */
export const silentLog = createLog({ logLevel: 'silent' })
