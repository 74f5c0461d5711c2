import type { Permission } from '@isotherm/contract/access/permissions'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../platform/http/call.ts'
import { type Scope, scopeOfEverything, toDisjointPaths } from '../../platform/scope/scope.ts'
import type { GrantsRow } from './grants.pg.ts'

/** What an account may do, and where. */
export type Access = Pick<Caller, 'permissions' | 'scope'>

function toScope({ seesAll, seesCell, paths }: GrantsRow): Scope {
  if (seesAll) return scopeOfEverything
  return { kind: 'paths', paths: toDisjointPaths(paths), ...(seesCell ? { isWholeCell: true } : {}) }
}

const MAX_SETS = 1_000

/**
 * Creates the function from grants to access. Undefined grants, of an account deleted meanwhile, give no access. Accounts with the
 * same permissions share one set of 4 kB.
 */
export function createToAccess(): (grants: GrantsRow | undefined) => Access {
  const sets = new LRUCache<string, ReadonlySet<Permission>>({ max: MAX_SETS })
  const toSet = (permissions: readonly Permission[]): ReadonlySet<Permission> => {
    const key = permissions.toSorted().join()
    const set = sets.get(key) ?? new Set(permissions)
    sets.set(key, set)
    return set
  }
  return (grants) => ({
    permissions: toSet(grants?.permissions ?? []),
    scope: grants ? toScope(grants) : { kind: 'paths', paths: [] },
  })
}
