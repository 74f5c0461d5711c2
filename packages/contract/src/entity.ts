import { z } from 'zod'

/**
 * How often an entity was changed, from 1. Every change of an entity says which version it was made from;
 * when another came first it is refused (entity.stale) and told what changed and by whom.
 */
export const version = z.number().int().positive()

/** Instants are Unix ms. */
export const instant = z.number().int()
