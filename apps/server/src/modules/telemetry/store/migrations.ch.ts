import type { ClickhouseMigrations } from '../../../platform/clickhouse/migrate.ch.ts'
import type { TableChange, TableCreation } from '../../../platform/clickhouse/table-change.ts'
import { runsBehindGaps, watermarks } from '../snapshots/message-numbers.ch.ts'
import { markOfCell, newestValues, snapshotMark } from '../snapshots/newest-values.ch.ts'
import { refusedMessages } from './refused-messages.ch.ts'

/**
 * Readings in long format, one row per value. Each row has the key (node, boot, seq) of its message, so the key and the
 * readings of a message become durable together. Rows with the same device, metric and instant are one reading: the
 * engine merges them, and queries read with FINAL.
 */
const readings: TableCreation = {
  table: 'readings',
  columns: `device UInt32 CODEC(Delta(4), ZSTD(1)),
  metric UInt16 CODEC(Delta(2), ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  value Float64 CODEC(Gorilla, ZSTD(1)),
  quality UInt8 CODEC(ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  node UInt32 CODEC(ZSTD(1)),
  boot UInt32 CODEC(ZSTD(1)),
  seq UInt32 CODEC(Delta(4), ZSTD(1)),
  live UInt8 CODEC(ZSTD(1))`,
  engine: 'ReplacingMergeTree(received)',
  storage: 'PARTITION BY toYYYYMM(ts) ORDER BY (device, metric, ts)',
  shardBy: 'device',
}

/** Rejected messages and parts with the reason. `count`: how many similar messages the row represents. */
const quarantine: TableCreation = {
  table: 'quarantine',
  columns: `received DateTime64(3, 'UTC'),
  topic String,
  node String,
  reason LowCardinality(String),
  bytes String CODEC(ZSTD(1)),
  size UInt32,
  count UInt32`,
  engine: 'MergeTree',
  storage: 'ORDER BY (received, node) TTL toDateTime(received) + INTERVAL 14 DAY',
  shardBy: 'sipHash64(node)',
}

/** Index to find recent arrivals, at start and after a broken insert: the table is sorted by device. */
const byReceived: TableChange = {
  table: 'readings',
  storage: 'ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1',
}
/** Fills the index for older parts of the table. */
const fillByReceived: TableChange = {
  table: 'readings',
  storage: 'MATERIALIZE INDEX by_received',
}

/**
 * Number of parts of the message of a row: its months (partitions), on a cluster its pairs of month and shard. An insert
 * makes one part of each, and a crash can leave only some of them, so a message counts as stored only with all its parts.
 * Rows older than the column have 0 and count as stored.
 */
const monthsOfMessage: TableChange = {
  table: 'readings',
  columns: 'ADD COLUMN IF NOT EXISTS months UInt8 CODEC(ZSTD(1)) AFTER seq',
}

/**
 * Each group commit makes a small part. With its default (5) the engine merges few parts at a time and writes each row
 * several hundred times. With 10 it waits for more parts of similar size (ADR 23).
 */
const fewerMerges: TableChange = {
  table: 'readings',
  storage: 'MODIFY SETTING merge_selector_base = 10',
  needsSetting: 'merge_selector_base',
}

/**
 * Minute at which a row was stored, by the engine's clock. It finds late and corrected readings, whatever their instant
 * (ADR 27). Rows older than the column have the time of arrival.
 */
const storedAt: TableChange = {
  table: 'readings',
  columns:
    "ADD COLUMN IF NOT EXISTS stored DateTime('UTC') DEFAULT toStartOfMinute(received) CODEC(Delta(4), ZSTD(1))",
}
const fillStoredAt: TableChange = {
  table: 'readings',
  storage: 'MATERIALIZE COLUMN stored SETTINGS mutations_sync = 2',
}
const storedNow: TableChange = {
  table: 'readings',
  columns: 'MODIFY COLUMN stored DEFAULT toStartOfMinute(now())',
}
const byStored: TableChange = {
  table: 'readings',
  storage: 'ADD INDEX IF NOT EXISTS by_stored stored TYPE minmax GRANULARITY 1',
}

/**
 * Frames of field buses, unchanged. The sort key is the key of a frame, so the engine merges a frame that is stored
 * twice; queries take one of each. The partition is the month of arrival, for retention.
 */
const rawFrames: TableCreation = {
  table: 'raw_frames',
  columns: `node UInt32 CODEC(ZSTD(1)),
  ts Int64 CODEC(DoubleDelta, ZSTD(1)),
  boot UInt32 CODEC(ZSTD(1)),
  seq UInt32 CODEC(Delta(4), ZSTD(1)),
  part UInt16 CODEC(ZSTD(1)),
  device UInt32 CODEC(ZSTD(1)),
  sent UInt8 CODEC(ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  named String CODEC(ZSTD(1)),
  bytes String CODEC(ZSTD(1)),
  INDEX by_device device TYPE bloom_filter GRANULARITY 4`,
  engine: 'ReplacingMergeTree',
  storage: 'PARTITION BY toYYYYMM(received) ORDER BY (node, ts, boot, seq, part, sipHash64(bytes))',
  shardBy: 'node',
}

/** Hash of the bytes: queries that list or count frames compare it and need not read the bytes, up to 64 KiB each. */
const hashOfFrame: TableChange = {
  table: 'raw_frames',
  columns: 'ADD COLUMN IF NOT EXISTS hash UInt64 MATERIALIZED sipHash64(bytes) CODEC(NONE)',
}
/** The frames of a gateway are sorted by its own clock, which is mostly the order of arrival. */
const framesByReceived: TableChange = {
  table: 'raw_frames',
  storage: 'ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1',
}
/** Fills the index for older parts of the table. */
const fillFramesByReceived: TableChange = {
  table: 'raw_frames',
  storage: 'MATERIALIZE INDEX by_received',
}

export const telemetryClickhouse: ClickhouseMigrations = {
  module: 'telemetry',
  migrations: {
    '001-readings': readings,
    '002-quarantine': quarantine,
    '003-readings-by-received': byReceived,
    '004-fill-by-received': fillByReceived,
    '005-months-of-message': monthsOfMessage,
    '006-fewer-merges': fewerMerges,
    '007-stored-at': storedAt,
    '008-fill-stored-at': fillStoredAt,
    '009-stored-now': storedNow,
    '010-by-stored': byStored,
    '011-raw-frames': rawFrames,
    '012-hash-of-frame': hashOfFrame,
    '013-frames-by-received': framesByReceived,
    '014-fill-frames-by-received': fillFramesByReceived,
    '015-refused-messages': refusedMessages,
    '016-watermarks': watermarks,
    '017-runs-behind-gaps': runsBehindGaps,
    '018-newest-values': newestValues,
    '019-snapshot-mark': snapshotMark,
    '020-mark-of-cell': markOfCell,
  },
}
