import { z } from 'zod'

/**
 * How often an entity was changed, from 1. Every change of an entity says which version it was made from;
 * when another came first it is refused (entity.stale) and told what changed and by whom.
 */
export const version = z.number().int().positive()

/** Instants are Unix ms; neither store holds one before 1970 or after 2100. */
export const instant = z.number().int().min(0).max(4_102_444_800_000)
