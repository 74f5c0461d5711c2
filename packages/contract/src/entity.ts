import { z } from 'zod'

/**
 * Version of an entity, from 1; every change increases it. A change carries the version it is based on. If that is outdated,
 * the change is refused with entity.stale, which names the changed fields and who changed them.
 */
export const version = z.number().int().positive()

/**
 * Matches a text without line breaks, control characters, lone surrogates and signs that turn the direction of writing: with
 * them a name looks like another one, or breaks the line of a list.
 */
export const visibleText = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

/** Name that people give to a thing. */
export const givenName = z.string().min(1).max(60).regex(/\S/).regex(visibleText)

/** Instants are Unix ms; neither store holds one before 1970 or after 2100. */
export const instant = z.number().int().min(0).max(4_102_444_800_000)
