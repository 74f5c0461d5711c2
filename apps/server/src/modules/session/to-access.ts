import type { Caller } from '../../platform/http/call.ts'
import { type Scope, scopeOfEverything, toDisjointPaths } from '../../platform/scope/scope.ts'
import type { GrantsRow } from './grants.pg.ts'

/** What an account may do, and where. */
export type Access = Pick<Caller, 'permissions' | 'scope'>

function toScope({ seesAll, seesCell, paths }: GrantsRow): Scope {
  if (seesAll) return scopeOfEverything
  return { kind: 'paths', paths: toDisjointPaths(paths), ...(seesCell ? { isWholeCell: true } : {}) }
}

/** Undefined grants, of an account deleted meanwhile, give no access. */
export const toAccess = (grants: GrantsRow | undefined): Access => ({
  permissions: new Set(grants?.permissions),
  scope: grants ? toScope(grants) : { kind: 'paths', paths: [] },
})
