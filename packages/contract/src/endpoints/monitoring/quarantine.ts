import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'

/** Why a message or a part of it is kept out of the readings. */
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
  // The store refuses it for what it holds; of these each is kept, and whole.
  'not-storable',
  // Of entries from before raw frames were kept.
  'unsupported-channel',
])
export type QuarantineReason = z.infer<typeof quarantineReason>

/** Bytes of an entry that are shown. */
export const PREVIEW_BYTES = 512

export const quarantineItem = z.object({
  receivedAt: instant,
  /** Tenant, node and channel of a known node, otherwise the topic as it was. */
  topic: z.string(),
  /** Serial of the node; empty for one that is not in the registry. */
  node: z.string(),
  reason: quarantineReason,
  /** The first 512 bytes: as text where they are text, else in hexadecimal. */
  preview: z.string(),
  isHex: z.boolean(),
  /** How long the whole of it was, bytes. */
  size: z.number().int().nonnegative(),
  /** How many like it this one stands for: of a flood only a sample is kept. */
  count: z.number().int().positive(),
})
export type QuarantineItem = z.infer<typeof quarantineItem>

export const getQuarantine = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetQuarantine',
  summary:
    "What was kept out of the readings in the last 14 days, newest first: of the caller's nodes, and for who sees everything of foreign ones.",
  access: requiresPermission('ps-interfacesys', 'pd-devdebug'),
  effect: 'reads',
  input: z.object({
    reasons: z.array(quarantineReason).min(1).max(20).optional(),
    /** Serial or IMEI of a node. */
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
