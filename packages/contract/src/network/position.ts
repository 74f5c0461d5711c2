import { z } from 'zod'

/** WGS-84, degrees. */
export const longitudeDeg = z.number().min(-180).max(180)
export const latitudeDeg = z.number().min(-90).max(90)

/** A point on the ground, WGS-84. */
export const groundPosition = z.object({ longitudeDeg, latitudeDeg })
