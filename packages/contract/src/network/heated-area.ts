import { z } from 'zod'

/** Limits of the heated area of an address, m². A smaller one is a mistake, and the quantities per m² of its building overflow. */
export const heatedAreaRange = { min: 0.1, max: 10_000_000 } as const

/** Heated floor area of an address, m². */
export const heatedArea = z.number().min(heatedAreaRange.min).max(heatedAreaRange.max)
