import {
  API_KEY_PREFIX,
  SEND_READINGS,
  SENDERS_PERMISSION,
} from '@isotherm/contract/endpoints/administration/api-keys'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { createMinuteLimits } from '../../../platform/http/minute-limits.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { intersectPaths, type Scope, toDisjointPaths } from '../../../platform/scope/scope.ts'
import { hashToken, type SessionService, TOKEN_LENGTH } from '../../session/index.ts'

interface KeyRow {
  readonly id: number
  readonly name: string
  readonly accountId: number
  readonly account: string
  readonly permissions: readonly string[]
  readonly readOnly: boolean
  readonly isRestricted: boolean
  readonly callsPerMinute: number
  readonly expiresAt: Date
  readonly paths: readonly string[]
}

interface KeyCaller {
  readonly revision: number
  readonly caller: Caller
  readonly callsPerMinute: number
}

const CACHED_KEYS = 10_000

/** Whether a token is an API key: the token of a session may start like one, but is shorter. */
export const isApiKey = (token: string): boolean =>
  token.startsWith(API_KEY_PREFIX) && token.length === API_KEY_PREFIX.length + TOKEN_LENGTH

/** The part of the account's scope that a key is restricted to. */
function toKeyScope(scope: Scope, { isRestricted, paths }: KeyRow): Scope {
  if (!isRestricted) return scope
  const chosen = toDisjointPaths(paths)
  return { kind: 'paths', paths: scope.kind === 'all' ? chosen : intersectPaths(scope.paths, chosen) }
}

/** Finds out what the holder of an API key may do. */
export function createKeyAccess(
  db: Database,
  clock: Pick<Clock, 'now'>,
  session: Pick<SessionService, 'findAccountAccess'>,
) {
  const cache = new LRUCache<string, KeyCaller>({ max: CACHED_KEYS })
  const usedAt = new Map<number, number>()
  const limits = createMinuteLimits(clock)

  async function findKey(hash: Buffer): Promise<KeyRow | undefined> {
    const { rows } = await sql<KeyRow>`
      select api_key.id, api_key.name, api_key.account_id as "accountId", account.account, api_key.permissions,
        api_key.read_only as "readOnly", api_key.is_restricted as "isRestricted",
        api_key.calls_per_minute as "callsPerMinute", api_key.expires_at as "expiresAt",
        array(select node.path from api_key_node join node on node.id = api_key_node.node_id
          where api_key_node.key_id = api_key.id) as paths
      from api_key join account on account.id = api_key.account_id where api_key.hash = ${hash}`.execute(db)
    return rows[0]
  }

  /**
   * The key's account with the access that both have. Undefined for an unknown key, a disabled account, and one that may no
   * longer manage keys: it could not delete this one any more.
   */
  async function findCaller(hash: Buffer): Promise<Omit<KeyCaller, 'revision'> | undefined> {
    const key = await findKey(hash)
    const access = key && (await session.findAccountAccess(key.accountId))
    if (!key || !access?.permissions.has('ps-interfacesys')) return undefined
    const { id, name, accountId, account, readOnly, callsPerMinute, expiresAt } = key
    const caller: Caller = {
      accountId,
      account,
      companyId: access.companyId,
      sessionId: 0,
      tokenHash: hash,
      expiresAt: expiresAt.getTime(),
      permissions: new Set(
        [...access.permissions].filter((permission) => key.permissions.includes(permission)),
      ),
      scope: toKeyScope(access.scope, key),
      apiKey: {
        id,
        name,
        readOnly,
        sendsReadings: key.permissions.includes(SEND_READINGS) && access.permissions.has(SENDERS_PERMISSION),
      },
    }
    return { caller, callsPerMinute }
  }

  /** Stores the time of a call, once a minute. */
  async function recordUse(id: number): Promise<void> {
    const now = clock.now()
    if (now - (usedAt.get(id) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return
    usedAt.set(id, now)
    await sql`update api_key set last_used_at = ${new Date(now)} where id = ${id}`.execute(db)
  }

  return {
    /**
     * The caller of an API key. Throws api-key.invalid, and request.too-many above the key's limit.
     *
     * @param revision the access revision at the start of the call
     */
    async authenticate(token: string, revision: number): Promise<Caller> {
      const hash = hashToken(token)
      const cacheKey = hash.toString('base64')
      const cached = cache.get(cacheKey)
      let known = cached?.revision === revision ? cached : undefined
      if (!known) {
        const found = await findCaller(hash)
        if (!found) throw new AppError('api-key.invalid')
        known = { revision, ...found }
        cache.set(cacheKey, known)
      }
      const { caller, callsPerMinute } = known
      if (!caller.apiKey || caller.expiresAt <= clock.now()) throw new AppError('api-key.invalid')
      limits.count(caller.apiKey.id, callsPerMinute)
      await recordUse(caller.apiKey.id)
      return caller
    },
  }
}
