import type { NodeKey } from '@isotherm/contract/tree'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { SessionService } from '../session/index.ts'
import type { GrantSet } from './queries/grant-changes.pg.ts'
import type { GrantsStore } from './queries/grants.pg.ts'
import type { UsersStore } from './queries/users.pg.ts'
import type { Verification } from './verification/verification.ts'

export interface NamedGrants {
  readonly nodes: readonly NodeKey[]
  readonly deviceIds: readonly number[]
}

/** What the use cases of this module work with. */
export interface UsersNeeds {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly users: UsersStore
  readonly grants: GrantsStore
  readonly verification: Verification
  readonly session: Pick<SessionService, 'verify'>
  /** Rows behind the names of what is to be granted; throws node.not-found. */
  readonly toGrantSet: (scope: Scope, named: NamedGrants) => Promise<GrantSet>
}
