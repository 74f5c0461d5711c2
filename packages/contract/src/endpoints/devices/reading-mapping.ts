import { z } from 'zod'
import { type MetricName, metricNames } from '../../metrics.ts'

/** Name of a metric. */
const metricName = z.enum(metricNames as readonly [MetricName, ...MetricName[]])

/** Column of a file, from 0. */
const column = z.number().int().min(0).max(199)

/** How a text file is written. A workbook has none of it. */
export const textFormat = z.object({
  encoding: z.enum(['utf-8', 'gb18030']),
  delimiter: z.enum([',', ';', '\t']),
})
export type TextFormat = z.infer<typeof textFormat>

/** Where the values of one metric are. */
export const mappedValue = z.object({
  /** Wide form: the column with the values. */
  column: column.optional(),
  /** Long form: the text in the column of metrics. */
  name: z.string().min(1).max(100).optional(),
  metric: metricName,
  /** Unit of the values in the file. */
  unit: z.string().max(10),
})
export type MappedValue = z.infer<typeof mappedValue>

/** What the columns of a file of readings mean. One row is one device and one instant. */
export const readingMapping = z.object({
  ...textFormat.shape,
  /** Sheet of a workbook; absent: the first one. */
  sheet: z.string().max(100).optional(),
  /** Row with the headings. Rows above it are ignored. */
  headingRow: z.number().int().min(1).max(50),
  /** The headings, for the file of failed rows. */
  headings: z.array(z.string().max(1_000)).max(200),
  device: z.object({ column, by: z.enum(['serial', 'imei', 'meter-no']) }),
  /** `timeColumn`: the time of day, if `column` has only the date. */
  time: z.object({ column, timeColumn: column.optional(), order: z.enum(['ymd', 'dmy', 'mdy']) }),
  /** IANA zone of times without an offset. */
  timeZone: z.string().min(1).max(64),
  /** `wide`: a column for each metric. `long`: a row for each value, with a column that names its metric. */
  form: z.enum(['wide', 'long']),
  /** Only of the long form. */
  metricColumn: column.optional(),
  valueColumn: column.optional(),
  values: z.array(mappedValue).min(1).max(100),
  /** The values were estimated or computed by the other platform: they are marked as substituted. */
  isEstimated: z.boolean(),
})
export type ReadingMapping = z.infer<typeof readingMapping>

/** Largest file of readings, bytes. */
export const MAX_READINGS_BYTES = 4 * 1024 ** 3
/** Bytes of one part of an upload; every part but the last has this length. */
export const UPLOAD_PART_BYTES = 4 * 1024 ** 2
/** Failed rows of a file that are stored; further ones are counted only. */
export const MAX_FAILED_ROWS = 10_000
