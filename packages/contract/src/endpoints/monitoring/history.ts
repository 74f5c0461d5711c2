import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { deviceKinds } from '../../devices.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { exportProgress } from '../../export-progress.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Buckets of history: hours, and days, months and heating seasons in the plant's time zone. */
export const bucketLevel = z.enum(['hour', 'day', 'month', 'season'])
export type BucketLevel = z.infer<typeof bucketLevel>

/** Aggregates of the readings of a bucket. Suspect readings only count in `total`. */
export const bucketColumn = z.enum(['total', 'good', 'avg', 'min', 'max', 'first', 'last'])
export type BucketColumn = z.infer<typeof bucketColumn>

/** Pages that show history. */
const viewingHistory = requiresPermission(
  'pe-fmhistory',
  'pe-fmcontrol',
  'pr-rthistory',
  'pc-caldata',
  'ps-statsys',
)

const metric = z.string().max(32)
const devices = z.array(refersTo('device', z.number().int().positive()))
const nodes = z.array(refersTo('node', nodeKey)).max(2_000)
const value = z.number().nullable()

const common = { backend: 'ht-api', method: 'POST', access: viewingHistory, effect: 'reads' } as const

/** Maximum number of buckets of all curves in one answer. */
const MAX_BUCKETS = 1_000_000

/** Shortest bucket of a level, ms. */
const bucketSpanMs: Readonly<Record<BucketLevel, number>> = {
  hour: HOUR_MS,
  day: 82_800_000,
  month: 28 * DAY_MS,
  season: 365 * DAY_MS,
}

/** Longest range of a level, days. */
export const maxBucketDays = { hour: 92, day: 1_830, month: 3_660, season: 3_660 } as const satisfies Record<
  BucketLevel,
  number
>

/** A metric of one device by bucket: columns of equal length, only the requested ones. */
export const bucketSeries = z.object({
  deviceId: z.number().int(),
  metric: z.string(),
  /** Start of each bucket, ascending; buckets without readings are omitted. */
  start: z.array(instant),
  /** Number of readings. */
  total: z.array(value).optional(),
  /** Number of readings that are not suspect. */
  good: z.array(value).optional(),
  avg: z.array(value).optional(),
  min: z.array(value).optional(),
  max: z.array(value).optional(),
  /** For a counter, the difference of the first values of two buckets is its increase between them. */
  first: z.array(value).optional(),
  last: z.array(value).optional(),
})

export const getDataBuckets = defineEndpoint({
  ...common,
  path: '/Dev/GetDataBuckets',
  summary: 'Readings of devices aggregated by hour, local day, month or heating season.',
  input: z
    .object({
      deviceIds: devices.min(1).max(500),
      metrics: z.array(metric).min(1).max(16),
      level: bucketLevel,
      columns: z
        .array(bucketColumn)
        .min(1)
        .max(7)
        .refine((given) => new Set(given).size === given.length, 'names a column twice'),
      /** Only buckets that start at or after this. */
      from: instant,
      /** Only buckets that start before this. */
      to: instant,
    })
    .refine(
      ({ deviceIds, metrics, level, from, to }) =>
        (deviceIds.length * metrics.length * (to - from)) / bucketSpanMs[level] <= MAX_BUCKETS,
      { error: `more than ${MAX_BUCKETS} buckets requested at once`, path: ['to'] },
    ),
  output: z.object({ datalist: z.array(bucketSeries) }),
  errors: ['device.not-found', 'history.range-too-large'],
})

/** Distribution of a metric over devices in one bucket; for a counter, of the increases. */
export const spread = z.object({
  start: instant,
  devices: z.number().int(),
  mean: z.number(),
  min: z.number(),
  p10: z.number(),
  p25: z.number(),
  p50: z.number(),
  p75: z.number(),
  p90: z.number(),
  max: z.number(),
})
export type Spread = z.infer<typeof spread>

export const getDataSpread = defineEndpoint({
  ...common,
  path: '/Dev/GetDataSpread',
  summary:
    'Mean and quantiles of a metric over the devices below nodes, by local day, month or heating season.',
  input: z.object({
    /** Subtrees of the devices; an empty list means everything granted to the caller. */
    nodes,
    kinds: deviceKinds.min(1),
    metric,
    level: bucketLevel.exclude(['hour']),
    from: instant,
    to: instant,
  }),
  output: z.object({ datalist: z.array(spread) }),
  errors: ['node.not-found', 'history.range-too-large'],
})

/** An earlier device of a place: another device replaced it. */
export const earlierDevice = z.object({
  /** Number of the requested device that is at the place now, or was there later than this one. */
  of: z.number().int(),
  deviceId: z.number().int(),
  /** Its serial. */
  imei: z.string(),
  model: z.string(),
  /** Its part of the history of the place; without `from` it was the first one. */
  from: instant.optional(),
  to: instant,
})
export type EarlierDevice = z.infer<typeof earlierDevice>

export const getDataSegments = defineEndpoint({
  ...common,
  path: '/Dev/GetDataSegments',
  summary:
    'The devices that were replaced, one after the other, by the given ones, with the times in which they measured.',
  input: z.object({ deviceIds: devices.min(1).max(100) }),
  output: z.object({ datalist: z.array(earlierDevice) }),
  errors: ['device.not-found'],
})

/** Selection of rows for an export: one row per device, metric and reading, hour or day. */
const rows = z.object({
  /** If given, only these devices; otherwise those of `kinds` below `nodes`. */
  deviceIds: devices.max(2_000).default([]),
  nodes: nodes.default([]),
  kinds: deviceKinds.default([]),
  metrics: z.array(metric).min(1).max(16),
  level: z.enum(['raw', 'hour', 'day']),
  from: instant,
  to: instant,
})

const exporting = {
  ...common,
  errors: ['node.not-found', 'device.not-found', 'history.range-too-large'],
} as const

export const countDataRows = defineEndpoint({
  ...exporting,
  path: '/Dev/CountDataRows',
  summary: 'Upper bound of the number of rows of an export, and the number of its devices.',
  input: rows,
  output: z.object({ devices: z.number().int(), rows: z.number().int() }),
})

export const exportDataRows = defineEndpoint({
  ...exporting,
  path: '/Dev/ExportDataRows',
  summary:
    "Readings, hours or days of any number of devices as csv or workbook, one row each, in the plant's time.",
  file: 'download',
  input: rows.extend({
    format: z.enum(['csv', 'xlsx']),
    /** Name of the export in live progress events to its account; without it there are no events. */
    progressId: exportProgress.shape.progressId.optional(),
  }),
  output: z.null(),
  errors: [...exporting.errors, 'transfer.too-many-rows', 'request.too-many'],
})

export const historyEndpoints = {
  getDataBuckets,
  getDataSpread,
  getDataSegments,
  countDataRows,
  exportDataRows,
} as const
