import type { ClickhouseMigrations, SettingMigration } from '../../../platform/clickhouse/migrate.ch.ts'
import { runsBehindGaps, watermarks } from '../snapshots/message-numbers.ch.ts'
import { markOfCell, newestValues, snapshotMark } from '../snapshots/newest-values.ch.ts'
import { refusedMessages } from './refused-messages.ch.ts'

/**
 * Readings in long format, one row per value. Each row has the key (node, boot, seq) of its message, so the key and the
 * readings of a message become durable together. Rows with the same device, metric and instant are one reading: the
 * engine merges them, and queries read with FINAL.
 */
const readings = `CREATE TABLE IF NOT EXISTS readings (
  device UInt32 CODEC(Delta(4), ZSTD(1)),
  metric UInt16 CODEC(Delta(2), ZSTD(1)),
  ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  value Float64 CODEC(Gorilla, ZSTD(1)),
  quality UInt8 CODEC(ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  node UInt32 CODEC(ZSTD(1)),
  boot UInt32 CODEC(ZSTD(1)),
  seq UInt32 CODEC(Delta(4), ZSTD(1)),
  live UInt8 CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree(received) PARTITION BY toYYYYMM(ts) ORDER BY (device, metric, ts)`

/** Rejected messages and parts with the reason. `count`: how many similar messages the row represents. */
const quarantine = `CREATE TABLE IF NOT EXISTS quarantine (
  received DateTime64(3, 'UTC'),
  topic String,
  node String,
  reason LowCardinality(String),
  bytes String CODEC(ZSTD(1)),
  size UInt32,
  count UInt32
) ENGINE = MergeTree ORDER BY (received, node) TTL toDateTime(received) + INTERVAL 14 DAY`

/** Index to find recent arrivals, at start and after a broken insert: the table is sorted by device. */
const byReceived =
  'ALTER TABLE readings ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1'
/** Fills the index for older parts of the table. */
const fillByReceived = 'ALTER TABLE readings MATERIALIZE INDEX by_received'

/**
 * Number of months (partitions) of the message of a row. An insert makes one part per month, and a crash can leave only
 * some of them, so a message counts as stored only with all its months. Rows older than the column have 0 and count as
 * stored.
 */
const monthsOfMessage = 'ALTER TABLE readings ADD COLUMN IF NOT EXISTS months UInt8 CODEC(ZSTD(1)) AFTER seq'

/**
 * Each group commit makes a small part. With its default (5) the engine merges few parts at a time and writes each row
 * several hundred times. With 10 it waits for more parts of similar size (ADR 23).
 */
const fewerMerges: SettingMigration = {
  query: 'ALTER TABLE readings MODIFY SETTING merge_selector_base = 10',
  needsSetting: 'merge_selector_base',
}

/**
 * Minute at which a row was stored, by the engine's clock. It finds late and corrected readings, whatever their instant
 * (ADR 27). Rows older than the column have the time of arrival.
 */
const storedAt =
  "ALTER TABLE readings ADD COLUMN IF NOT EXISTS stored DateTime('UTC') DEFAULT toStartOfMinute(received) CODEC(Delta(4), ZSTD(1))"
const fillStoredAt = 'ALTER TABLE readings MATERIALIZE COLUMN stored SETTINGS mutations_sync = 2'
const storedNow = 'ALTER TABLE readings MODIFY COLUMN stored DEFAULT toStartOfMinute(now())'
const byStored = 'ALTER TABLE readings ADD INDEX IF NOT EXISTS by_stored stored TYPE minmax GRANULARITY 1'

/**
 * Frames of field buses, unchanged. The sort key is the key of a frame, so the engine merges a frame that is stored
 * twice; queries take one of each. The partition is the month of arrival, for retention.
 */
const rawFrames = `CREATE TABLE IF NOT EXISTS raw_frames (
  node UInt32 CODEC(ZSTD(1)),
  ts Int64 CODEC(DoubleDelta, ZSTD(1)),
  boot UInt32 CODEC(ZSTD(1)),
  seq UInt32 CODEC(Delta(4), ZSTD(1)),
  part UInt16 CODEC(ZSTD(1)),
  device UInt32 CODEC(ZSTD(1)),
  sent UInt8 CODEC(ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  named String CODEC(ZSTD(1)),
  bytes String CODEC(ZSTD(1)),
  INDEX by_device device TYPE bloom_filter GRANULARITY 4
) ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(received) ORDER BY (node, ts, boot, seq, part, sipHash64(bytes))`

/** Hash of the bytes: queries that list or count frames compare it and need not read the bytes, up to 64 KiB each. */
const hashOfFrame =
  'ALTER TABLE raw_frames ADD COLUMN IF NOT EXISTS hash UInt64 MATERIALIZED sipHash64(bytes) CODEC(NONE)'
/** The frames of a gateway are sorted by its own clock, which is mostly the order of arrival. */
const framesByReceived =
  'ALTER TABLE raw_frames ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1'
/** Fills the index for older parts of the table. */
const fillFramesByReceived = 'ALTER TABLE raw_frames MATERIALIZE INDEX by_received'

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
