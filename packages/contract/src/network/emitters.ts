import { z } from 'zod'

/** Kind of heat emitter in rooms. The value of a node also applies to the nodes below it that have none of their own. */
export const emitterKind = z.enum(['radiator', 'floor', 'fan-coil'])
export type EmitterKind = z.infer<typeof emitterKind>
