import { z } from 'zod'

/** Outdoor temperature at an instant. `at`: Unix ms; measured values are medians of an hour from then on. */
export const outdoorValue = z.object({ at: z.number().int(), outdoorC: z.number() })
export type OutdoorValue = z.infer<typeof outdoorValue>

/**
 * Forecast of a company's weather. `no-source`: none is configured. `several-companies`: the selection has more than one.
 * `no-place`: the source needs a place, and nothing of the company is on the map. `failed`: the source gave no forecast.
 */
export const forecast = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['no-source', 'several-companies', 'no-place', 'failed']) }),
  z.object({
    state: z.literal('known'),
    /** When it was read from the source, Unix ms. */
    readAt: z.number().int(),
    /** By hour, from the present one on. */
    values: z.array(outdoorValue),
  }),
])
export type Forecast = z.infer<typeof forecast>

/** Weather of the companies of a selection. */
export const weather = z.object({
  /** Median of the newest outdoor temperatures of present stations and concentrators, °C; null if none reports one. */
  outdoorC: z.number().nullable(),
  /** Number of those devices. */
  sensors: z.number().int().nonnegative(),
  /** The last 24 hours by the outdoor sensors. In a demo that runs faster, hours of the simulated plant. */
  measured: z.array(outdoorValue),
  forecast,
})
export type WeatherAnswer = z.infer<typeof weather>
