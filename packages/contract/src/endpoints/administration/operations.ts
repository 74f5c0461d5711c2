import { z } from 'zod'
import { defineEndpoint, requiresPermission, sessionAccess } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { filter, limiter } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from '../devices/device-access.ts'

/** Longest time range of one search of the log, days. */
export const MAX_LOG_DAYS = 366
/** Maximum number of entries that one search counts and pages through; `hasMore` is set if there are more. */
export const MAX_LOG_ENTRIES = 10_000

const values = z.record(z.string(), z.unknown()).nullable()

/** Kind of an entity in the log, such as node, device, role or account. */
const entity = z.string().regex(/^[a-z][a-z-]{0,39}$/)
const entityId = z.string().min(1).max(80)

/** Change of one entity by an operation. */
export const operationChange = z.object({
  entity: z.string(),
  entityId: z.string(),
  /** Version of the entity after the change; null if it has no version. */
  version: z.number().int().nullable(),
  action: z.enum(['added', 'changed', 'removed']),
  /** Changed values, before and after. */
  before: values,
  after: values,
})
export type OperationChange = z.infer<typeof operationChange>

/** A call that changed something or tried to. The log is append-only: entries have no versions. */
export const operationEntry = z.object({
  id: z.number().int().positive(),
  at: instant,
  account: z.string(),
  /** Name of the endpoint, or of an automatic operation. */
  endpoint: z.string(),
  /** `ok`, or the code of the error. */
  result: z.string(),
  /**
   * True if the caller sees the whole entry. For an operation by staff of another company, or one that also changed nodes
   * outside the caller's grants, only the changes of granted nodes are shown, without input and network address.
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
  summary: 'Entries of the operation log within a time range that the caller can see, newest first.',
  access: requiresPermission('ps-oplogsys'),
  effect: 'reads',
  input: z.object({
    /** Half-open range; by default the last seven days. */
    from: instant.optional(),
    to: instant.optional(),
    account: z.string().min(1).max(64).optional(),
    endpoint: z.string().min(1).max(64).optional(),
    /** `ok`, `failed` for any error, or the code of an error. */
    result: z.string().min(1).max(64).optional(),
    entity: entity.optional(),
    /** With `entity`: only entries that changed this entity. */
    entityId: entityId.optional(),
    /** Only entries that changed something at or below the node. */
    node: refersTo('node', nodeKey).optional(),
    /** Part of the input, or of a value before or after. */
    text: z.string().min(2).max(100).optional(),
    /** Fields: account, endpoint, result, address, requestId, at. */
    filter: filter.default([]),
    ...page,
  }),
  output: z.object({
    datalist: z.array(operationEntry),
    /** Number of entries found; all matches unless `hasMore` is set. */
    total: z.number().int().nonnegative(),
    hasMore: z.boolean(),
    /** Start of the searched range; later than `from` if there are more entries or the search timed out. */
    searchedFrom: instant,
    /** Days after which entries are deleted; 0: never. */
    retentionDays: z.number().int().nonnegative(),
  }),
  errors: ['node.not-found', 'history.range-too-large', 'filter.unknown-field', 'filter.bad-pattern'],
})

/** A change of one entity, with its author. */
export const entityChange = operationChange.extend({
  operationId: z.number().int().positive(),
  at: instant,
  account: z.string(),
  endpoint: z.string(),
})
export type EntityChange = z.infer<typeof entityChange>

/** Entities with changes that the pages of devices show. Users who may not read the log see them there too. */
export const entitiesOfDevices: readonly string[] = ['device', 'gateway-config']

/** The page of the log shows changes of all entities; pages of one device show those of `entitiesOfDevices` only. */
export const viewingHistory = requiresPermission('ps-oplogsys', 'pd-devdebug', ...managingDevices.anyOf)

export const getEntityHistory = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Oplog/GetEntityHistory',
  summary:
    'Changes of one entity, newest first: who, when, before and after. Without ps-oplogsys only changes of devices, and of configurations of gateways that the caller may read.',
  access: viewingHistory,
  effect: 'reads',
  input: z.object({ entity, entityId, ...page }),
  output: z.object({
    datalist: z.array(entityChange),
    /** Number of changes, counted up to 10,000. */
    total: z.number().int().nonnegative(),
  }),
  errors: ['access.denied'],
})

export const addUserOp = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/vn/userlog/userop/add',
  summary: 'Records a page visit, or an export of the console, in the operation log.',
  access: sessionAccess,
  effect: 'changes',
  input: z.object({
    token: z.string().max(200).optional(),
    kind: z.enum(['visit', 'export']).default('visit'),
    /** Path of the page in the console, without its query. */
    path: z.string().min(1).max(200),
    /** Title of the page; of an export the name of the file. */
    title: z.string().max(100).default(''),
    /** Time by the console's clock; the server adds its own. */
    visitedAt: instant.optional(),
  }),
  output: z.object({}),
  errors: [],
})

export const operationsEndpoints = { getOperations, getEntityHistory, addUserOp } as const
