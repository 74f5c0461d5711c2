import { z } from 'zod'

/** Why a valve does not get its target. */
export const targetLimit = z.enum([
  'emitter-too-small',
  'max-flow',
  'min-flow',
  'unknown',
  /** A trim would reduce its flow although one of its rooms is below the legal limit. */
  'rooms-cold',
  /** A trim would reduce its flow although its rooms are much colder than the others. */
  'rooms-starved',
  'rooms-colder',
  /** Its return, or with a target of room temperatures its rooms, have not settled after the last move. */
  'settling',
])
