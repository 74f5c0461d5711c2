import type { Effect, InputOf } from '@isotherm/contract/endpoint'
import {
  API_KEY_PREFIX,
  type ApiKey,
  type addApiKey,
  type deleteApiKey,
  type getApiKeys,
  keyPermissions,
  MAX_KEY_DAYS,
  MAX_KEYS,
  SEND_READINGS,
  SENDERS_PERMISSION,
} from '@isotherm/contract/endpoints/administration/api-keys'
import { DAY_MS } from '@isotherm/kernel/durations'
import { type Expression, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { splitPaths } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import { createToken, hashToken } from '../../session/index.ts'
import { isManagedBy } from '../../users/index.ts'
import { findPage, type Page } from '../find-page.pg.ts'
import type {} from './tables.ts'

interface ApiKeysDependencies {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
}

interface Row extends Omit<ApiKey, 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'abilities'> {
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  /** Whether the caller may delete it. */
  readonly isDeletable: boolean
}

/** Characters of a key that are stored readable. */
const START_LENGTH = 8

const columnsFor = (caller: Caller) => sql`
  ${isKeyOf(caller, 'changes')} as "isDeletable",
  api_key.id, api_key.name, api_key.start, account.account, api_key.permissions,
  api_key.read_only as "readOnly", api_key.calls_per_minute as "callsPerMinute",
  api_key.created_at as "createdAt", api_key.expires_at as "expiresAt", api_key.last_used_at as "lastUsedAt",
  api_key.version,
  case when api_key.is_restricted then array(
    select node.nestaddr from api_key_node join node on node.id = api_key_node.node_id
    where api_key_node.key_id = api_key.id order by node.sort_path) end as nodes`
const from = sql`api_key join account on account.id = api_key.account_id`

/** Condition on api_key joined with account: keys of the caller, and of accounts that the caller may read or change. */
export const isKeyOf = (caller: Caller, effect: Effect): Expression<SqlBool> =>
  sql<SqlBool>`(account.id = ${caller.accountId} or ${isManagedBy(caller, effect)})`

const toApiKey = ({ createdAt, expiresAt, lastUsedAt, isDeletable, ...row }: Row): ApiKey => ({
  ...row,
  createdAt: createdAt.getTime(),
  expiresAt: expiresAt.getTime(),
  lastUsedAt: lastUsedAt?.getTime() ?? null,
  abilities: isDeletable ? ['delete'] : [],
})

const toNodeId = (path: string): number => Number(path.split('/').at(-2))

const grantable: ReadonlySet<string> = new Set(keyPermissions)

/** Manages API keys. A key is stored only as a hash. */
export const createApiKeys = ({ db, clock, network }: ApiKeysDependencies) => ({
  async list(caller: Caller, { limiter }: InputOf<typeof getApiKeys>): Promise<Page<ApiKey>> {
    const page = await findPage<Row>(
      db,
      {
        columns: columnsFor(caller),
        fields: {},
        from,
        order: sql`api_key.id desc`,
        where: isKeyOf(caller, 'reads'),
      },
      { filter: [], limiter },
    )
    return { ...page, datalist: page.datalist.map(toApiKey) }
  },

  async add(
    { caller, operation }: Call,
    input: InputOf<typeof addApiKey>,
  ): Promise<{ key: string; record: ApiKey }> {
    const { name, permissions, readOnly, nodes, callsPerMinute, expiresAt } = input
    const held = new Set<string>(caller.permissions)
    if (held.has(SENDERS_PERMISSION)) held.add(SEND_READINGS)
    if (!permissions.every((permission) => grantable.has(permission) && held.has(permission)))
      throw new AppError('access.denied')
    const now = clock.now()
    if (expiresAt <= now || expiresAt > now + MAX_KEY_DAYS * DAY_MS)
      throw new AppError('api-key.bad-expiry', { days: MAX_KEY_DAYS })
    const { nodePaths } = splitPaths(nodes.length > 0 ? await network.resolveNodes(caller.scope, nodes) : [])
    const key = `${API_KEY_PREFIX}${createToken()}`
    const id = await operate(db, operation, async (transaction) => {
      await sql`select from account where id = ${caller.accountId} for update`.execute(transaction)
      const { rows: present } = await sql`
        select from api_key where account_id = ${caller.accountId} limit ${MAX_KEYS}`.execute(transaction)
      if (present.length === MAX_KEYS) throw new AppError('api-key.too-many', { limit: MAX_KEYS })
      const { rows } = await sql<{ id: number }>`
        insert into api_key (account_id, name, start, hash, permissions, read_only, is_restricted,
          calls_per_minute, created_at, expires_at)
        values (${caller.accountId}, ${name}, ${key.slice(0, START_LENGTH)}, ${hashToken(key)},
          ${[...new Set(permissions)]}::text[], ${readOnly}, ${nodes.length > 0}, ${callsPerMinute},
          ${new Date(now)}, ${new Date(expiresAt)}) returning id`.execute(transaction)
      await sql`
        insert into api_key_node (key_id, node_id)
        select ${rows[0]?.id}, node.id from node where node.id = any(${nodePaths.map(toNodeId)}::bigint[])`.execute(
        transaction,
      )
      return rows[0]?.id
    })
    const { rows } =
      await sql<Row>`select ${columnsFor(caller)} from ${from} where api_key.id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw new AppError('api-key.not-found')
    return { key, record: toApiKey(row) }
  },

  remove: ({ operation }: Call, { id, version }: InputOf<typeof deleteApiKey>): Promise<number> =>
    operate(db, operation, async (transaction) => {
      const found = await lockVersion(transaction, { table: 'api_key', entity: 'api-key', id, version })
      if (!found) throw new AppError('api-key.not-found')
      await sql`delete from api_key where id = ${id}`.execute(transaction)
      return 1
    }),
})
