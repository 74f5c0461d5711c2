import { z } from 'zod'

/**
 * Version of an entity, from 1; every change increases it. A change carries the version it is based on. If that is outdated,
 * the change is refused with entity.stale, which names the changed fields and who changed them.
 */
export const version = z.number().int().positive()

/**
 * Characters that names must not have, for a class of a pattern: line breaks, control characters, lone surrogates and signs
 * that turn the direction of writing. With them a name looks like another one, or breaks the line of a list.
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069`

/** Name that people give to a thing. One pattern: generators of clients do not know several for one text. */
export const givenName = z
  .string()
  .min(1)
  .max(60)
  .regex(new RegExp(String.raw`^(?=.*\S)[^${INVISIBLE}]*$`, 'u'))

/** Instants are Unix ms; neither store holds one before 1970 or after 2100. */
export const instant = z.number().int().min(0).max(4_102_444_800_000)
