import type { ClickhouseMigrations } from '../../../platform/clickhouse/migrate.ch.ts'
import type { TableChange, TableCreation } from '../../../platform/clickhouse/table-change.ts'

/** Summary of the readings of one device and metric in a time span. Doubtful readings are only counted. */
const summary = `total UInt32 CODEC(T64, ZSTD(1)),
  good UInt32 CODEC(T64, ZSTD(1)),
  sum_value Float64 CODEC(ZSTD(1)),
  min_value Float64 CODEC(ZSTD(1)),
  max_value Float64 CODEC(ZSTD(1)),
  min_at DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
  max_at DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
  first_value Float64 CODEC(ZSTD(1)),
  last_value Float64 CODEC(ZSTD(1)),
  quality UInt8 CODEC(ZSTD(1)),
  version DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))`

/**
 * Hours, sorted by device and metric, so that a curve is one run of rows per month. Short blocks, because a week of one
 * device is 168 of many millions of rows. The newest version of a row counts.
 */
const hours: TableCreation = {
  table: 'readings_hour',
  columns: `device UInt32 CODEC(Delta(4), ZSTD(1)),
  metric UInt16 CODEC(Delta(2), ZSTD(1)),
  hour DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
  ${summary}`,
  engine: 'ReplacingMergeTree(version)',
  storage:
    'PARTITION BY toYYYYMM(hour) ORDER BY (device, metric, hour) SETTINGS index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 65536',
  shardBy: 'device',
}

/** Complete days of the plant, sorted by metric, so that queries over a whole company read adjacent rows. */
const days: TableCreation = {
  table: 'readings_day',
  columns: `metric UInt16 CODEC(Delta(2), ZSTD(1)),
  day Date CODEC(Delta(2), ZSTD(1)),
  device UInt32 CODEC(Delta(4), ZSTD(1)),
  ${summary}`,
  engine: 'ReplacingMergeTree(version)',
  storage: 'PARTITION BY toYYYYMM(day) ORDER BY (metric, day, device) SETTINGS index_granularity = 1024',
  shardBy: 'device',
}

/** Progress of the rollups: the hours before `closed` are built, from rows that were stored before `stored`. */
const marks: TableCreation = {
  table: 'rollup_marks',
  columns: `zone String,
  closed DateTime('UTC'),
  stored DateTime('UTC'),
  written DateTime64(3, 'UTC') DEFAULT now64(3)`,
  engine: 'ReplacingMergeTree(written)',
  storage: 'ORDER BY zone',
  shardBy: 'sipHash64(zone)',
}

/** Of the hours between `closed` and `begun`, those of the devices with ids up to `device` are built. 0: of no device. */
const begun: TableChange = {
  table: 'rollup_marks',
  columns: `ADD COLUMN IF NOT EXISTS begun DateTime('UTC') DEFAULT 0, ADD COLUMN IF NOT EXISTS device UInt32 DEFAULT 0`,
}

/** Number of hours of the day with a reading. For days built before this column: the number of readings, at most 24. */
const dayHours: TableChange = {
  table: 'readings_day',
  columns: `ADD COLUMN IF NOT EXISTS hours UInt8 DEFAULT toUInt8(least(total, 24)) CODEC(ZSTD(1)) AFTER total`,
}

/**
 * Hourly means of a room by day, and the local hour of each, so that a query for a week of all rooms reads adjacent rows. Empty
 * for other metrics, and for days that were built before these columns.
 */
const hourMeans: TableChange = {
  table: 'readings_day',
  columns: `ADD COLUMN IF NOT EXISTS mean_hours Array(UInt8) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS hour_means Array(Float64) CODEC(ZSTD(1))`,
}

export const historyClickhouse: ClickhouseMigrations = {
  module: 'history',
  migrations: {
    '001-hours': hours,
    '002-days': days,
    '003-marks': marks,
    '004-begun': begun,
    '005-day-hours': dayHours,
    '006-hour-means': hourMeans,
  },
}
