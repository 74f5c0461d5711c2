import { z } from 'zod'
import { defineEndpoint, requiresPermission, sessionAccess } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { filter, limiter } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Longest range of time one search of the log covers, days. */
export const MOST_LOG_DAYS = 366
/** Entries one search counts and pages through; more are told by `hasMore`. */
export const MOST_LOG_ENTRIES = 10_000

const values = z.record(z.string(), z.unknown()).nullable()

/** Kind of an entity in the log, such as node, device, role or account. */
const entity = z.string().regex(/^[a-z][a-z-]{0,39}$/)
const entityId = z.string().min(1).max(80)

/** What an operation did to one entity. */
export const operationChange = z.object({
  entity: z.string(),
  entityId: z.string(),
  /** Of the entity after the change; null for what has none. */
  version: z.number().int().nullable(),
  action: z.enum(['added', 'changed', 'removed']),
  /** Values before and after, of what changed only. */
  before: values,
  after: values,
})
export type OperationChange = z.infer<typeof operationChange>

/** One call that changed something or tried to. The log is only added to: entries have no versions. */
export const operationEntry = z.object({
  id: z.number().int().positive(),
  at: instant,
  account: z.string(),
  /** Name of the endpoint, or what the system did by itself. */
  endpoint: z.string(),
  /** `ok` or the code of an error. */
  result: z.string(),
  /**
   * True when the caller sees all of it. Of an operation by somebody else's staff, or one that went beyond the
   * caller's nodes, only what it did to these is shown: neither what was asked nor from where.
   */
  whole: z.boolean(),
  address: z.string().optional(),
  requestId: z.string().optional(),
  input: z.unknown().optional(),
  /** The first 50. */
  changes: z.array(operationChange),
  hasMoreChanges: z.boolean(),
})
export type OperationEntry = z.infer<typeof operationEntry>

const page = { limiter: limiter.default({ page: 1, size: 100 }) }

export const getOperations = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Oplog/GetOperations',
  summary:
    'Entries of the operation log within a range of time, newest first, as far as the caller may see them.',
  access: requiresPermission('ps-oplogsys'),
  effect: 'reads',
  input: z.object({
    /** Half-open range; the last seven days without one. */
    from: instant.optional(),
    to: instant.optional(),
    account: z.string().min(1).max(64).optional(),
    endpoint: z.string().min(1).max(64).optional(),
    /** `ok`, `failed` for any error, or the code of one. */
    result: z.string().min(1).max(64).optional(),
    entity: entity.optional(),
    /** With `entity`: only entries that changed this one. */
    entityId: entityId.optional(),
    /** Only entries that changed something at or below the node. */
    node: refersTo('node', nodeKey).optional(),
    /** Part of what was asked, or of values before or after. */
    text: z.string().min(2).max(100).optional(),
    /** Fields: account, endpoint, result, address, requestId, at. */
    filter: filter.default([]),
    ...page,
  }),
  output: z.object({
    datalist: z.array(operationEntry),
    /** Entries found; all that match unless `hasMore`. */
    total: z.number().int().nonnegative(),
    hasMore: z.boolean(),
    /** How far back was searched; later than `from` when there are more entries or time ran out. */
    searchedFrom: instant,
  }),
  errors: ['node.not-found', 'history.range-too-large', 'filter.unknown-field', 'filter.bad-pattern'],
})

/** A change of one entity with who made it. */
export const entityChange = operationChange.extend({
  operationId: z.number().int().positive(),
  at: instant,
  account: z.string(),
  endpoint: z.string(),
})
export type EntityChange = z.infer<typeof entityChange>

export const getEntityHistory = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Oplog/GetEntityHistory',
  summary: 'Changes of one entity, newest first: who, when, before and after.',
  access: requiresPermission('ps-oplogsys'),
  effect: 'reads',
  input: z.object({ entity, entityId, ...page }),
  output: z.object({
    datalist: z.array(entityChange),
    /** Counted up to 10,000. */
    total: z.number().int().nonnegative(),
  }),
  errors: [],
})

export const addUserOp = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/vn/userlog/userop/add',
  summary: "Notes a page visit of the caller's in the operation log.",
  access: sessionAccess,
  effect: 'changes',
  input: z.object({
    token: z.string().max(200).optional(),
    /** Path of the page in the console, without its query. */
    path: z.string().min(1).max(200),
    title: z.string().max(100).default(''),
    /** When by the console's clock; the server notes its own beside it. */
    visitedAt: instant.optional(),
  }),
  output: z.object({}),
  errors: [],
})

export const operationsEndpoints = { getOperations, getEntityHistory, addUserOp } as const
