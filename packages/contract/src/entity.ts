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

/** Rule of a name. One pattern: generators of clients do not know several for one text. */
const NAME_PATTERN = new RegExp(String.raw`^(?=.*\S)[^${INVISIBLE}]*$`, 'u')

/** Name that people give to a thing, for inputs only: stored names and answers may be older than the rule. */
export const givenName = z.string().min(1).max(60).regex(NAME_PATTERN)

/** A given name without the white space around it, which is removed before the name is checked. */
export const trimmedName = z.string().trim().min(1).max(60).regex(NAME_PATTERN)

/** A name in a stored document or in a file, which may be older than the rule of given names. */
export const storedName = z.string().min(1).max(60)

/** Instants are Unix ms; neither store holds one before 1970 or after 2100. */
export const instant = z.number().int().min(0).max(4_102_444_800_000)
