import { z } from 'zod'

const celsius = z.number()
/** The valve that feeds the room; absent if a meter measures the water. */
const deviceId = z.number().int().optional()

/**
 * A measured fact that explains why a room is cold or hot, or why its value is in doubt. Peers are other units of the same
 * station.
 */
export const roomReason = z.discriminatedUnion('kind', [
  /** The sensor is silent, or its concentrator is: the value is old. */
  z.object({ kind: z.literal('sensor-silent') }),
  /** Readings are suspect, or the plausibility rules found something in them. */
  z.object({ kind: z.literal('sensor-suspect'), findings: z.number().int() }),
  /** The room lost `fellK` within the last hour: a window or door is open. */
  z.object({ kind: z.literal('window'), fellK: z.number() }),
  /** The valve that feeds the room is nearly closed. */
  z.object({ kind: z.literal('valve-closed'), deviceId: z.number().int(), openingPct: z.number() }),
  /** The valve that feeds the room is wide open. */
  z.object({ kind: z.literal('valve-open'), deviceId: z.number().int(), openingPct: z.number() }),
  /** Water arrives colder than at the peers. */
  z.object({ kind: z.literal('supply-low'), deviceId, supplyC: celsius, peersC: celsius }),
  /** Water returns colder than at the peers, though it arrives as warm: too little flows. */
  z.object({
    kind: z.literal('flow-low'),
    deviceId,
    returnC: celsius,
    peersC: celsius,
    flowM3h: z.number().optional(),
  }),
  /** Water returns warmer than at the peers: too much flows. */
  z.object({
    kind: z.literal('flow-high'),
    deviceId,
    returnC: celsius,
    peersC: celsius,
    flowM3h: z.number().optional(),
  }),
  /** The other rooms of the building are as cold: the cause is not in the room. */
  z.object({ kind: z.literal('neighbours-cold'), medianC: celsius, rooms: z.number().int() }),
  z.object({ kind: z.literal('neighbours-hot'), medianC: celsius, rooms: z.number().int() }),
  /** The other rooms of the building are in order: the cause is in the room. */
  z.object({ kind: z.literal('only-here'), medianC: celsius, rooms: z.number().int() }),
])
export type RoomReason = z.infer<typeof roomReason>
export type RoomReasonKind = RoomReason['kind']
