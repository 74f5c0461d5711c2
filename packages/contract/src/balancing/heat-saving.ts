import { z } from 'zod'

/** Calendar date of the company: 2026-11-23. */
const date = z.iso.date()

/** Days from `from` to `to`, both included. */
export const dayRange = z.object({ from: date, to: date })
export type DayRange = z.infer<typeof dayRange>

/** Longest period, days: a heating season, and a year around it. */
export const MAX_SAVING_DAYS = 400

/**
 * Where the heat of a day is from: the counter of the meter on the station's node, the heat that its controller reports,
 * or flow times the difference of supply and return.
 */
export const heatSource = z.enum(['meter', 'power', 'flow'])
export type HeatSource = z.infer<typeof heatSource>

/**
 * What determines the periods: the first balance or strategy of the station, the heating seasons if it has none, or
 * dates that a person chose.
 */
export const periodsBy = z.enum(['campaign', 'strategy', 'seasons', 'people'])

const kwh = z.number()
/** Number of days of a period that count, and of those that are left out, by reason. */
export const dayCounts = z.object({
  used: z.number().int(),
  /** Fewer hours with heat than needed, or none. */
  withoutHeat: z.number().int(),
  withoutWeather: z.number().int(),
  /** No heat at all, a counter that ran backwards, or many times the usual heat. */
  implausible: z.number().int(),
  /** Outside of the heating season. */
  offSeason: z.number().int(),
})
export type DayCounts = z.infer<typeof dayCounts>

const savingDay = z.object({ date, outdoorC: z.number(), heatKwh: kwh })
const period = dayRange.extend({ counts: dayCounts, days: z.array(savingDay) })

/** Heat of a day over its mean outdoor temperature: baseKwh + slopeKwhK·max(0, changePointC − outdoorC), kWh. */
const savingLine = z.object({ baseKwh: kwh, slopeKwhK: z.number(), changePointC: z.number() })

/** An amount of energy with the ends of its 90 % interval. */
const savedEnergy = z.object({ savedKwh: kwh, lowKwh: kwh, highKwh: kwh })

const knownSaving = savedEnergy.extend({
  kind: z.literal('known'),
  measuredKwh: kwh,
  predictedKwh: kwh,
  /** Line of the baseline. */
  line: savingLine,
  /** Line of the days after; absent if they are too few for one. */
  lineAfter: savingLine.optional(),
  r2: z.number(),
  cvRmsePct: z.number(),
  /** Whether R² is as high as IPMVP suggests, and CV(RMSE) within the limit of ASHRAE Guideline 14. */
  isWithinLimits: z.boolean(),
})

/** Why there is no saving. */
const savingRefusal = z.discriminatedUnion('kind', [
  /** Nothing of the station's heat, or of its outdoor temperature, is stored in the baseline. */
  z.object({ kind: z.literal('not-measured'), what: z.enum(['heat', 'weather']) }),
  z.object({ kind: z.literal('too-few-days'), days: z.number().int(), needed: z.number().int() }),
  z.object({ kind: z.literal('weather-too-equal'), spanK: z.number(), neededK: z.number() }),
  /** Colder days did not need more heat. */
  z.object({ kind: z.literal('heat-not-by-weather') }),
  /** No day after the baseline has both heat and outdoor temperature. */
  z.object({ kind: z.literal('no-days') }),
  /** Days of the period that were colder or warmer than any of the baseline. */
  z.object({ kind: z.literal('weather-beyond-baseline'), days: z.number().int(), ofDays: z.number().int() }),
])

/** Electricity of the pump, not corrected for the weather. */
const pumpSaving = savedEnergy.extend({
  days: z.number().int(),
  beforeKwhDay: kwh,
  afterKwhDay: kwh,
})

/** Prices of energy. */
export const energyPrices = z.object({
  /** Heat, yuan/GJ. */
  yuanPerGj: z.number().positive().max(10_000).optional(),
  /** Electricity, yuan/kWh. */
  yuanPerKwh: z.number().positive().max(100).optional(),
})
export type EnergyPrices = z.infer<typeof energyPrices>

/** Prices of a node; they apply below it, except where a node below has its own. */
export const energyPrice = energyPrices.extend({
  node: z.string(),
  nodeName: z.string(),
  /** 0 if nobody set prices here. */
  version: z.number().int().nonnegative(),
})
export type EnergyPrice = z.infer<typeof energyPrice>

export const heatSaving = z.object({
  stationName: z.string(),
  periodsBy,
  /** When the first balance or strategy began, Unix ms. */
  changedAt: z.number().optional(),
  /** Absent if nothing is measured. */
  source: heatSource.optional(),
  baseline: period,
  after: period,
  result: z.union([knownSaving, savingRefusal]),
  pump: pumpSaving.optional(),
  /** Prices that apply, from the nearest node at or above the station. */
  prices: energyPrices,
  /** Nodes at and above the station where the caller may set prices, the highest first. */
  settable: z.array(energyPrice),
})
export type HeatSavingAnswer = z.infer<typeof heatSaving>
