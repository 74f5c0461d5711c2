import { z } from 'zod'

/** Why a valve does not get its target. */
export const targetLimit = z.enum([
  /** No flow warms the rooms to the target: the heat emitters are too small. */
  'emitter-too-small',
  'max-flow',
  'min-flow',
  'unknown',
  /** The trim would reduce its flow, but one of its rooms is below the legal limit. */
  'rooms-cold',
  /** The trim would reduce its flow, but its return is as cold as the rooms: hardly any water flows. */
  'rooms-starved',
  /** The trim would reduce its flow, but its rooms are much colder than those of other valves. */
  'rooms-colder',
  /** Its return, or with a target of room temperatures its rooms, have not settled after the last move. */
  'settling',
])
