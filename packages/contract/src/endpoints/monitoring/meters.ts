import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Levels of the tree at which heat is counted. */
export const meterLevel = z.enum(['household', 'unit', 'building', 'station'])
export type MeterLevel = z.infer<typeof meterLevel>

/** Room temperature from which degree-days count, °C (heating degree-days base 18, GB 50176). */
export const DEGREE_DAY_BASE_C = 18

/** Longest range of a question about consumption, days: a year and a heating season. */
export const MAX_METER_DAYS = 550

const viewingMeters = requiresPermission('pc-caldata')
const common = { backend: 'ht-api', method: 'POST', access: viewingMeters } as const
const kwh = z.number()

/** Days of the plant from `from` to `to`, both included. */
const days = { from: z.iso.date(), to: z.iso.date() }
const nodes = z.array(refersTo('node', nodeKey)).max(2_000).default([])

/** Heat that meters counted in a range. */
export const countedHeat = z.object({
  /** Whole increase of the registers, with the estimated part. */
  heatKwh: kwh,
  /** Part of it that is spread over days without readings by the difference of the register around them. */
  estimatedKwh: kwh,
  /** Bounds of the heat: the estimated part may belong to the days of the range wholly or not at all. */
  lowKwh: kwh,
  highKwh: kwh,
  /** Days of the range without a reading. */
  missingDays: z.number().int(),
  /** Days without a reading that no register difference covers: their heat is not in the sum. */
  uncountedDays: z.number().int(),
})
export type CountedHeat = z.infer<typeof countedHeat>

const meterOfNode = z.object({
  deviceId: z.number().int(),
  serial: z.string(),
  name: z.string(),
  /** Seconds between its reports. */
  periodS: z.number(),
  /** Newest value of the register; absent if none is known. `quality`: bits of a reading. */
  newest: z.object({ kwh, at: instant, quality: z.number().int() }).optional(),
  /** Findings of the plausibility rules that persist. */
  openFindings: z.number().int(),
  /** Absent without a reading in the range. */
  counted: countedHeat.optional(),
  /** Changes of the meter and rollovers of its register in the range. */
  events: z.number().int(),
})

/** A node of the tree with the heat of its own meter and of the meters below it. */
export const meterRow = z.object({
  node: nodeKey,
  name: z.string(),
  /** Names from the project down to the node, joined by commas. */
  nestaddr: z.string(),
  /** Own area, or the sum of the households' areas below. */
  areaM2: z.number().optional(),
  /** A node with several meters has the one with the lowest number. */
  meter: meterOfNode.optional(),
  /** Meters of the next lower level that has meters: households of a building, buildings of a station. */
  below: z
    .object({
      heatKwh: kwh,
      estimatedKwh: kwh,
      meters: z.number().int(),
      /** Meters with readings on all days of the range. */
      complete: z.number().int(),
      /** Meters with a counted heat. */
      contributing: z.number().int(),
    })
    .optional(),
  /** Heat of the own meter that the meters below do not count. Absent unless all of them contribute. */
  lostKwh: kwh.optional(),
})
export type MeterRow = z.infer<typeof meterRow>

/** Degree-days of a range, base 18 °C; absent if more than a tenth of the days has no outdoor temperature. */
const weather = {
  degreeDays: z.number().optional(),
  weatherDays: z.number().int(),
}

export const getMeterRows = defineEndpoint({
  ...common,
  path: '/Meter/GetMeterRows',
  summary:
    'Heat meters by place with newest register value, consumption in a range of local days and losses.',
  effect: 'reads',
  input: z.object({
    /** Subtrees; an empty list means everything granted to the caller. */
    nodes,
    level: meterLevel,
    /** Default: the month of the plant's yesterday, until yesterday. */
    from: days.from.optional(),
    to: days.to.optional(),
    /** Part of the place's name or address. */
    text: z.string().max(60).default(''),
    limiter: limiter.default({ page: 1, size: 100 }),
    sort: z.enum(['place', 'heat', 'missing']).default('place'),
    descending: z.boolean().default(false),
  }),
  output: z.object({
    datalist: z.array(meterRow),
    total: z.number().int(),
    ...weather,
    /** Days of the range that are over, and their first and last. */
    days: z.number().int(),
    ...days,
  }),
  errors: ['node.not-found', 'history.range-too-large'],
})

/** What happened to the register of a meter. */
export const segmentStart = z.enum(['first', 'rollover', 'meter-change', 'fall'])
export type SegmentStart = z.infer<typeof segmentStart>

const segment = z.object({
  begins: segmentStart,
  from: z.iso.date(),
  to: z.iso.date(),
  firstKwh: kwh,
  lastKwh: kwh,
})

const courseBucket = countedHeat.omit({ missingDays: true, uncountedDays: true }).extend({
  /** First day. */
  start: z.iso.date(),
  days: z.number().int(),
  missingDays: z.number().int(),
  degreeDays: z.number().optional(),
})
export type CourseBucket = z.infer<typeof courseBucket>

export const getMeterCourse = defineEndpoint({
  ...common,
  path: '/Meter/GetMeterCourse',
  summary: "Consumption of one meter by local day, month or heating season, and its register's segments.",
  effect: 'reads',
  input: z.object({
    deviceId: refersTo('device', z.number().int().positive()),
    level: z.enum(['day', 'month', 'season']),
    ...days,
  }),
  output: z.object({ buckets: z.array(courseBucket), segments: z.array(segment) }),
  errors: ['device.not-found', 'history.range-too-large'],
})

const price = z.number().min(0).max(10_000)

export const exportHeatBills = defineEndpoint({
  ...common,
  path: '/Meter/ExportHeatBills',
  summary:
    'Heat bills of households by a two-part tariff, one row each, as csv or workbook; estimated values are marked.',
  effect: 'reads',
  file: 'download',
  input: z.object({
    nodes,
    ...days,
    /** Fixed part for the range, yuan per m². */
    yuanPerM2: price,
    /** Price of the heat, yuan per kWh. */
    yuanPerKwh: price,
    unit: z.enum(['kWh', 'MWh', 'GJ']).default('kWh'),
    format: z.enum(['csv', 'xlsx']),
  }),
  output: z.null(),
  errors: ['node.not-found', 'history.range-too-large', 'request.too-many', 'transfer.too-many-rows'],
})

export const meterEndpoints = { getMeterRows, getMeterCourse, exportHeatBills } as const
