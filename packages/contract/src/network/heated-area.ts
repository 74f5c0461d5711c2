import { z } from 'zod'

/** Limits of the heated area of an address, m². A smaller area is a typing error, and quantities per m² would overflow with it. */
export const heatedAreaRange = { min: 0.1, max: 10_000_000 } as const

/** Heated floor area of an address, m². */
export const heatedArea = z.number().min(heatedAreaRange.min).max(heatedAreaRange.max)
