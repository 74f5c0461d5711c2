import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { NetworkService } from '../network/index.ts'
import { createCodeGateway } from './code-gateway.ts'
import { createGrantsStore } from './grants.pg.ts'
import { createUsersHandlers } from './handlers.ts'
import type { UsersNeeds } from './needs.ts'
import { createToGrantSet } from './to-grant-set.ts'
import { createUsersStore } from './users.pg.ts'
import { createVerificationStore } from './verification.pg.ts'
import { createVerification } from './verification.ts'

export { isManagedBy } from './managed.pg.ts'
export { usersMigrations } from './migrations.pg.ts'
export { createUsersReferences } from './references.pg.ts'

export interface UsersParts {
  readonly db: Database
  readonly clock: Clock
  readonly network: Pick<NetworkService, 'findParts'>
  readonly session: UsersNeeds['session']
  readonly config: Pick<Config, 'verificationUrl'>
}

/** The handlers of this module. */
export function createUsers({
  db,
  clock,
  network,
  session,
  config,
}: UsersParts): ReturnType<typeof createUsersHandlers> {
  const { verificationUrl } = config
  const sendCode = verificationUrl === undefined ? undefined : createCodeGateway(verificationUrl)
  return createUsersHandlers({
    db,
    clock,
    session,
    users: createUsersStore(db),
    grants: createGrantsStore(db),
    verification: createVerification(createVerificationStore(db), sendCode, clock),
    toGrantSet: createToGrantSet(network),
  })
}
