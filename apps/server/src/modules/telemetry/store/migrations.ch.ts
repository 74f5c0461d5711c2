import type { ClickhouseMigrations, SettingMigration } from '../../../platform/clickhouse/migrate.ch.ts'
import { refusedMessages } from './refused-messages.ch.ts'

/**
 * Readings in long format, one row a value. Each row carries the key (node, boot, seq) of the message it came
 * in, so that a message's key and its readings become durable together. Rows of one device, metric and
 * instant are one reading: the engine folds them, and queries read with FINAL.
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

/** What was kept out of the readings, with why; `count` messages stand behind a row when many came at once. */
const quarantine = `CREATE TABLE IF NOT EXISTS quarantine (
  received DateTime64(3, 'UTC'),
  topic String,
  node String,
  reason LowCardinality(String),
  bytes String CODEC(ZSTD(1)),
  size UInt32,
  count UInt32
) ENGINE = MergeTree ORDER BY (received, node) TTL toDateTime(received) + INTERVAL 14 DAY`

/** Finds what arrived lately, at start and after a broken insert: the table is in the order of devices. */
const byReceived =
  'ALTER TABLE readings ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1'
/** For the parts that were there before the index. */
const fillByReceived = 'ALTER TABLE readings MATERIALIZE INDEX by_received'

/**
 * Over how many months (partitions) the message of a row goes: an insert makes a part for each, and a crash may
 * leave only some of them, so a message is stored once it is there in all its months. Rows from before the
 * column say 0: theirs count as stored, as they did then.
 */
const monthsOfMessage = 'ALTER TABLE readings ADD COLUMN IF NOT EXISTS months UInt8 CODEC(ZSTD(1)) AFTER seq'

/**
 * Each group commit makes a small part. By its own measure (5) the engine merges few of them at a time, and so
 * writes each row several hundred times before it rests; by 10 it waits for more parts of one size (ADR 23).
 */
const fewerMerges: SettingMigration = {
  query: 'ALTER TABLE readings MODIFY SETTING merge_selector_base = 10',
  needsSetting: 'merge_selector_base',
}

/**
 * When a row was stored, by the engine's clock and to the minute: what came late or was corrected is found by it,
 * whatever its own instant (ADR 27). Rows from before the column say when they were received.
 */
const storedAt =
  "ALTER TABLE readings ADD COLUMN IF NOT EXISTS stored DateTime('UTC') DEFAULT toStartOfMinute(received) CODEC(Delta(4), ZSTD(1))"
const fillStoredAt = 'ALTER TABLE readings MATERIALIZE COLUMN stored SETTINGS mutations_sync = 2'
const storedNow = 'ALTER TABLE readings MODIFY COLUMN stored DEFAULT toStartOfMinute(now())'
const byStored = 'ALTER TABLE readings ADD INDEX IF NOT EXISTS by_stored stored TYPE minmax GRANULARITY 1'

/**
 * Frames of field buses as they were. What a message is known by sorts them, so that one that is stored again is
 * folded with the first; queries take one of each. The partition is that of the arrival, for retention.
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

/** Bytes by their hash: what lists or counts frames tells them apart without reading the bytes, 64 KiB at most each. */
const hashOfFrame =
  'ALTER TABLE raw_frames ADD COLUMN IF NOT EXISTS hash UInt64 MATERIALIZED sipHash64(bytes) CODEC(NONE)'
/** Within a node frames lie by its own clock, which mostly is the order of their arrival. */
const framesByReceived =
  'ALTER TABLE raw_frames ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1'
/** For the parts that were there before the index. */
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
  },
}
