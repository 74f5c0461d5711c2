import { z } from 'zod'

/** What gives off the heat in rooms. What is said of a node holds for all below it of which nothing else is said. */
export const emitterKind = z.enum(['radiator', 'floor', 'fan-coil'])
export type EmitterKind = z.infer<typeof emitterKind>
