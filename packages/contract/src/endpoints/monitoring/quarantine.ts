import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'

/** Why a message or a part of it is quarantined. */
export const quarantineReason = z.enum([
  'foreign-topic',
  'unknown-node',
  'oversize',
  'malformed-json',
  'wrong-schema',
  'unknown-device',
  'unknown-metric',
  'no-values',
  'future-instant',
  'ancient-instant',
  'unknown-command',
  // The store rejects its content. Every one of these is stored completely.
  'not-storable',
  // Only in entries from before raw frames were stored.
  'unsupported-channel',
])
export type QuarantineReason = z.infer<typeof quarantineReason>

/** Number of shown bytes of an entry. */
export const PREVIEW_BYTES = 512

export const quarantineItem = z.object({
  receivedAt: instant,
  /** Tenant, gateway and channel for a known gateway, otherwise the original topic. */
  topic: z.string(),
  /** Serial of the gateway; empty if it is not in the registry. */
  node: z.string(),
  reason: quarantineReason,
  /** The first 512 bytes, as text if they are text, otherwise in hexadecimal. */
  preview: z.string(),
  isHex: z.boolean(),
  /** Length of the whole message, bytes. */
  size: z.number().int().nonnegative(),
  /** Number of similar messages that it represents: only a sample of a flood is stored. */
  count: z.number().int().positive(),
})
export type QuarantineItem = z.infer<typeof quarantineItem>

export const getQuarantine = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetQuarantine',
  summary:
    "Quarantined messages of the last 14 days, newest first: of the caller's gateways, and of unknown ones for users who see everything.",
  access: requiresPermission('ps-interfacesys', 'pd-devdebug'),
  effect: 'reads',
  input: z.object({
    reasons: z.array(quarantineReason).min(1).max(20).optional(),
    /** Serial or IMEI of a gateway. */
    imei: refersTo('imei', z.string().min(1).max(64)).optional(),
    /** Half-open range. */
    from: instant.optional(),
    to: instant.optional(),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(quarantineItem),
  errors: ['device.not-found'],
})

export const quarantineEndpoints = { getQuarantine } as const
