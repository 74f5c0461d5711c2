import { z } from 'zod'
import { modules, type PagePermission } from '../../access/permissions.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, instant, version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Start of every API key. */
export const API_KEY_PREFIX = 'ik_'

/** Largest number of keys of an account. */
export const MAX_KEYS = 50

/** Longest validity of a key, days. */
export const MAX_KEY_DAYS = 730

const { psys, pusers, ...open } = modules

/**
 * What a key can be given beside pages: sending the readings of gateways (send-readings.ts). It shows nothing and changes
 * nothing, so a key with only this permission is safe on a machine of somebody else.
 */
export const SEND_READINGS = 'send-readings'

/** Permission that a user must have to give a key SEND_READINGS. The key loses it with the user. */
export const SENDERS_PERMISSION: PagePermission = 'pd-datadevmanager'

/** Permissions that a key can have: a program never administers users or the system. */
export const keyPermissions: readonly (PagePermission | typeof SEND_READINGS)[] = [
  SEND_READINGS,
  ...Object.values(open).flat(),
]

/** A key with which a program calls both backends in the name of an account. The key itself is stored only as a hash. */
export const apiKey = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  /** First characters of the key, to recognise it. */
  start: z.string(),
  /** The account that created it. The key never has more access than this account has at the moment of a call. */
  account: z.string(),
  permissions: z.array(z.string()),
  /** Changes are refused. Sending readings is a permission of its own. */
  readOnly: z.boolean(),
  /** Addresses of the nodes that it is restricted to; null for everything that the account is granted. */
  nodes: z.array(z.string()).nullable(),
  /** Largest number of calls per minute and server process. */
  callsPerMinute: z.number().int(),
  createdAt: instant,
  expiresAt: instant,
  /** Time of a recent call, to the minute; null if it was never used. */
  lastUsedAt: instant.nullable(),
  version,
  abilities: z.array(z.enum(['delete'])),
})
export type ApiKey = z.infer<typeof apiKey>

const managesKeys = requiresPermission('ps-interfacesys')

export const getApiKeys = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/GetApiKeys',
  summary: "API keys of the caller's account and of the accounts that the caller manages, newest first.",
  access: managesKeys,
  effect: 'reads',
  input: z.object({ limiter: limiter.default({ page: 1, size: 1_000 }) }),
  output: pageOf(apiKey),
  errors: [],
})

export const addApiKey = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/AddApiKey',
  summary:
    'Adds an API key of the caller with some of their permissions and nodes. Only this answer contains the key itself.',
  access: managesKeys,
  effect: 'changes',
  input: z.object({
    name: givenName,
    /** Of pages, and `send-readings`. */
    permissions: z.array(z.string().max(64)).min(1).max(100),
    readOnly: z.boolean().default(true),
    /** Restricts the key to these nodes and everything below them. */
    nodes: z.array(refersTo('node', nodeKey)).max(50).default([]),
    callsPerMinute: z.number().int().min(1).max(6_000).default(600),
    expiresAt: instant,
  }),
  output: z.object({ key: z.string(), record: apiKey }),
  errors: ['access.denied', 'node.not-found', 'api-key.bad-expiry', 'api-key.too-many'],
})

export const deleteApiKey = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/DeleteApiKey',
  summary: 'Deletes an API key. Its calls are refused at once.',
  access: managesKeys,
  effect: 'changes',
  input: z.object({ id: refersTo('api-key', z.number().int().positive()), version }),
  output: z.object({ deleted: z.number().int().nonnegative() }),
  errors: ['api-key.not-found', 'entity.stale'],
})

export const apiKeysEndpoints = { getApiKeys, addApiKey, deleteApiKey } as const
