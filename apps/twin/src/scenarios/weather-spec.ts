import { z } from 'zod'

const hourly = z.array(z.number()).min(24).max(8784)

/** Days that are colder (or, below 0, milder) than the weather source, in simulated seconds of the scenario. */
const snap = z.object({
  fromS: z.number().nonnegative(),
  untilS: z.number().positive(),
  dropK: z.number(),
})

/** Weather source of a scenario. `startDay` counts from 1 January. */
export const weatherSpec = z.discriminatedUnion('kind', [
  /** Always January: −5 °C on average, clear days. */
  z.object({ kind: z.literal('winter'), snaps: z.array(snap).default([]) }),
  /** A generated year of a northern city. */
  z.object({
    kind: z.literal('year'),
    startDay: z.number().int().min(0).max(364),
    snaps: z.array(snap).default([]),
  }),
  /** Measured hours of a year, from 1 January 00:00 local time; sun on a south wall in W/m², wind in m/s, rain in mm/h. */
  z.object({
    kind: z.literal('hourly'),
    startDay: z.number().int().min(0).max(364),
    outdoorC: hourly,
    sunWM2: hourly.optional(),
    windMS: hourly.optional(),
    rainMmH: hourly.optional(),
    snaps: z.array(snap).default([]),
  }),
])
export type WeatherSpec = z.infer<typeof weatherSpec>
