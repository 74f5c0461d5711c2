import { z } from 'zod'

/**
 * Version of an entity, from 1; every change increases it. A change carries the version it is based on. If that is outdated,
 * the change is refused with entity.stale, which names the changed fields and who changed them.
 */
export const version = z.number().int().positive()

/** Instants are Unix ms; neither store holds one before 1970 or after 2100. */
export const instant = z.number().int().min(0).max(4_102_444_800_000)
