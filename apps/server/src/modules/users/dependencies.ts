import type { NodeKey } from '@isotherm/contract/tree'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { SessionService } from '../session/index.ts'
import type { GrantSet } from './queries/grant-changes.pg.ts'
import type { Verification } from './verification/verification.ts'

export interface NamedGrants {
  readonly nodes: readonly NodeKey[]
  readonly deviceIds: readonly number[]
}

/** Dependencies of the use cases of this module. */
export interface UsersDependencies {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly verification: Verification
  readonly session: Pick<SessionService, 'verify'>
  /** Finds the row ids of places to grant. Throws node.not-found. */
  readonly toGrantSet: (scope: Scope, named: NamedGrants) => Promise<GrantSet>
}
