import { setImmediate } from 'node:timers/promises'
import { findMetricById, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { TableChange, TableCreation } from '../../../platform/clickhouse/table-change.ts'
import type { LatestState, LatestValues } from '../latest/latest-values.ts'
import { type IdRanges, isInRanges } from '../messages/id-ranges.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import type { SnapshotPart } from './snapshot-writer.ts'

/** Newest live value of each metric of each device, as of the last snapshot. */
export const newestValues: TableCreation = {
  table: 'newest_values',
  columns: `device UInt32 CODEC(Delta(4), ZSTD(1)),
  metric UInt16,
  ts DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  value Float64 CODEC(ZSTD(1)),
  quality UInt8`,
  engine: 'ReplacingMergeTree(ts)',
  storage: 'ORDER BY (device, metric) TTL toDateTime(ts) + INTERVAL 30 DAY',
  shardBy: 'device',
}

/** Instant before which everything that arrived is in the snapshot; the row that was inserted last counts. */
export const snapshotMark: TableCreation = {
  table: 'snapshot_mark',
  columns: `part UInt8,
  at DateTime64(3, 'UTC')`,
  engine: 'ReplacingMergeTree',
  storage: 'ORDER BY part',
  shardBy: 'part',
}

/**
 * A mark of each cell, because its snapshot has the devices of its companies only; empty: of servers that serve all
 * companies, and of versions without cells.
 */
export const markOfCell: TableChange = {
  table: 'snapshot_mark',
  columns: 'ADD COLUMN IF NOT EXISTS cell String AFTER part',
  storage: 'MODIFY ORDER BY (part, cell)',
}

/** Devices in one insert, which is one time slice: some ten thousand rows. */
const DEVICES_AT_ONCE = 2_000

function toRows({ deviceId, ts, metrics: values, instants, qualities }: LatestState): readonly unknown[][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const metric = metrics[name as keyof typeof metrics]
    const at = instants[name] ?? ts
    return metric ? [[deviceId, metric.id, at, value, qualities[name] ?? 0]] : []
  })
}

export interface ValuesPart extends SnapshotPart {
  /** Marks the present values as stored, because they were read from the snapshot. */
  skipPresent(): void
}

/** Stores the newest values of the devices that changed. */
export function createValuesPart(
  client: ClickHouseClient,
  latest: Pick<LatestValues, 'changedSince' | 'version'>,
): ValuesPart {
  let storedVersion = 0

  async function insert(states: readonly LatestState[]): Promise<void> {
    const values = states.flatMap(toRows)
    if (values.length === 0) return
    const columns: [string, ...string[]] = ['device', 'metric', 'ts', 'value', 'quality']
    await client.insert({ table: 'newest_values', columns, values, format: 'JSONCompactEachRow' })
    // Yields to other work of the server.
    await setImmediate()
  }

  return {
    skipPresent() {
      storedVersion = latest.version()
    },
    async write() {
      const version = latest.version()
      let states: LatestState[] = []
      for (const state of latest.changedSince(storedVersion)) {
        states.push(state)
        if (states.length < DEVICES_AT_ONCE) continue
        await insert(states)
        states = []
      }
      await insert(states)
      storedVersion = version
    },
  }
}

export const insertMark = async (client: ClickHouseClient, at: number, cell = ''): Promise<void> => {
  await client.insert({
    table: 'snapshot_mark',
    values: [{ part: 0, cell, at }],
    format: 'JSONEachRow',
  })
}

const markRow = z.tuple([z.coerce.number()])

/**
 * Instant before which everything of the companies of a cell that arrived is in the snapshot, Unix ms; undefined without a
 * snapshot. A cell that has none yet starts from the snapshot of all companies.
 */
export async function readMark(client: ClickHouseClient, cell = ''): Promise<number | undefined> {
  const query = `SELECT toUnixTimestamp64Milli(at) FROM snapshot_mark FINAL
    WHERE cell IN ('', {cell: String}) ORDER BY cell DESC LIMIT 1`
  for await (const row of streamRows(client, query, { cell })) return markRow.parse(row)[0]
  return undefined
}

const valueRow = z.tuple([z.number(), z.number(), z.number(), z.coerce.number(), z.number()])

/** Calls `take` for the stored values of `devices`, or of all, measured since an instant, Unix ms. */
export async function readNewestValues(
  client: ClickHouseClient,
  since: number,
  take: (update: LatestUpdate) => void,
  devices?: IdRanges,
): Promise<void> {
  const query = `SELECT device, metric, value, toUnixTimestamp64Milli(ts), quality FROM newest_values FINAL
    WHERE ts >= fromUnixTimestamp64Milli({since: Int64}) AND ${isInRanges('device', devices)}`
  for await (const row of streamRows(client, query, { since })) {
    const [deviceId, metricId, value, ts, quality] = valueRow.parse(row)
    const metric = findMetricById(metricId)
    if (metric) take({ deviceId, ts, quality, values: [{ metric, value, quality }] })
  }
}
