import { z } from 'zod'

/** Why a valve does not get what the mode asks for. */
export const targetLimit = z.enum([
  'emitter-too-small',
  'most-flow',
  'least-flow',
  'unknown',
  /** A trim would take flow from it, while a room of it is below the legal limit. */
  'rooms-cold',
  /** The same while its rooms are much colder than those of the others, whatever its return says. */
  'rooms-colder',
  /** A round of the proportional loop waits until its return has followed its last move. */
  'settling',
])
