import { metrics } from '@isotherm/contract/metrics'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { z } from 'zod'
import { PLAN_FORMAT } from '../modules/balancing/campaign/storage/stored-plan.ts'
import type { TestServer } from './server.testkit.ts'

/** A local day with readings, and a range that contains it. */
export const PLACED_DAY = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 3) }
const DAY = '2026-01-02'
const NOON = Date.UTC(2026, 0, 2, 4)

/** Readings of one device on that day: `count` readings of the same value. */
export interface PlacedReadings {
  readonly serial: string
  readonly metric: 'valve.opening' | 'temp.room'
  readonly count: number
  readonly value: number
}

/** Waits for the first pass of the rollups: shortly after the start it drops older rollups. */
const waitForFirstPass = (server: TestServer) =>
  vi.waitFor(
    async () => {
      const query = `SELECT count() FROM rollup_marks WHERE toUnixTimestamp(closed) > ${PLACED_DAY.to / 1_000}`
      const answer = await server.clickhouse.query({ query, format: 'JSONCompactEachRow' })
      const [[count] = [0]] = z.array(z.tuple([z.coerce.number()])).parse(await answer.json())
      if (count === 0) throw new Error('no pass of the rollups has ended')
    },
    { timeout: 30_000, interval: 200 },
  )

/** Stores readings of devices and their rollups, as if they had arrived on that day. */
export async function placeReadings(server: TestServer, given: readonly PlacedReadings[]): Promise<void> {
  await waitForFirstPass(server)
  const readings: object[] = []
  const days: object[] = []
  for (const { serial, metric, count, value } of given) {
    const of = { device: await server.deviceId(serial), metric: metrics[metric].id }
    for (let at = NOON; at < NOON + count; at += 1) {
      const key = { node: 1, boot: 1, seq: 1, months: 1, live: 1 }
      readings.push({ ...of, ...key, ts: toText(at), received: toText(at), value, quality: 0 })
    }
    days.push({
      ...of,
      day: DAY,
      total: count,
      good: count,
      sum_value: count * value,
      min_value: value,
      max_value: value,
      first_value: value,
      last_value: value,
      min_at: NOON / 1_000,
      max_at: NOON / 1_000,
      quality: 0,
      version: toText(NOON),
    })
  }
  await server.clickhouse.insert({ table: 'readings', values: readings, format: 'JSONEachRow' })
  await server.clickhouse.insert({ table: 'readings_day', values: days, format: 'JSONEachRow' })
}

/** Stores an ended finding for each device. An open one would also raise an alarm. */
export async function placeFindings(server: TestServer, serials: readonly string[]): Promise<void> {
  await sql`
    insert into telemetry_finding (device_id, rule, since_ms, until_ms, detail)
    select id, 'closed-valve', 1_000, 2_000, '{}' from device where serial = any(${[...serials]}::text[])`.execute(
    server.db,
  )
}

/** Stores a quarantined message of each of these gateways. */
export async function placeQuarantine(server: TestServer, serials: readonly string[]): Promise<void> {
  const values = serials.map((node) => ({
    received: toText(Date.now()),
    topic: `demo/${node}/telemetry`,
    node,
    reason: 'malformed-json',
    bytes: '{',
    size: 1,
    count: 1,
  }))
  await server.clickhouse.insert({ table: 'quarantine', values, format: 'JSONEachRow' })
}

/** Raises an alarm of each of these devices. */
export async function placeAlarms(server: TestServer, serials: readonly string[]): Promise<void> {
  await sql`
    with raised as (
      insert into alarm (company_id, kind, severity, device_id, path, raised_at)
      select device.company_id, 'sensor-fault', 'critical', device.id, node.path || 'd' || device.id || '/', now()
      from device join node on node.id = device.node_id where device.serial = any(${[...serials]}::text[])
      returning id)
    insert into alarm_event (alarm_id, at, event) select id, now(), 'raised' from raised`.execute(server.db)
}

/** Stores an old, ended campaign of each of these nodes, by their keys in the file. */
export async function placeCampaigns(server: TestServer, nodes: readonly string[]): Promise<void> {
  const point = { supplyC: 50, returnC: 40 }
  const indices = { before: { sigmaReturnK: 2 }, expected: { sigmaReturnK: 1 } }
  const plan = {
    plannedAt: 1_000,
    flows: 'metered',
    settleMs: 1_000,
    indices,
    members: [],
    steps: [],
    station: { before: point, expected: point },
    maxUnansweredShare: 1,
    coldRooms: 0,
    memory: null,
  }
  await sql`
    with placed as (
      insert into campaign (company_id, node_id, station_node_id, station_name, mode, state, planned_ms, created_by,
        created_ms, account, updated_ms, ended_ms)
      select company_id, id, id, name, '{"kind": "flow"}', 'accepted', 1000, 'test', 1000, 'test', 2000, 2000
      from node where key = any(${[...nodes]}::text[])
      returning id)
    insert into campaign_round (campaign_id, round, format, plan, indices, valves, excluded)
    select id, 1, ${PLAN_FORMAT}, ${JSON.stringify(plan)}::jsonb, ${JSON.stringify(indices)}::jsonb, 0, 0 from placed`.execute(
    server.db,
  )
}

const toText = (at: number): string => new Date(at).toISOString().replace('Z', '')

/** Puts nodes on the map by their keys, in a row from west to east. */
export async function placeOnMap(server: Pick<TestServer, 'db'>, keys: readonly string[]): Promise<void> {
  await sql`
    insert into node_gis (node_id, longitude_deg, latitude_deg)
    select node.id, 116.4 + 0.001 * given.place, 39.9
    from unnest(${[...keys]}::text[]) with ordinality given (key, place) join node on node.key = given.key`.execute(
    server.db,
  )
}
