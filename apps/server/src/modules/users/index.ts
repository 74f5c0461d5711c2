import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { ServerModule } from '../../platform/server-module.ts'
import type { NetworkService } from '../network/index.ts'
import { hashPassword } from '../session/index.ts'
import type { UsersDependencies } from './dependencies.ts'
import { createUsersHandlers } from './handlers.ts'
import { usersMigrations } from './migrations.pg.ts'
import { createUsersReferences } from './references.pg.ts'
import { createToGrantSet } from './rights/to-grant-set.ts'
import { createCodeGateway } from './verification/code-gateway.ts'
import { createVerification } from './verification/verification.ts'

export { isManagedBy } from './queries/managed.pg.ts'

export interface UsersParts {
  readonly db: Database
  readonly clock: Clock
  readonly network: Pick<NetworkService, 'findParts'>
  readonly session: UsersDependencies['session']
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
    verification: createVerification({ db, sendCode, hashCode: hashPassword, clock }),
    toGrantSet: createToGrantSet(network),
  })
}

/** Accounts, sub-accounts, and the roles and places they are granted. */
export const usersModule = {
  migrations: usersMigrations,
  create: (parts: UsersParts) => ({
    handlers: createUsers(parts),
    references: createUsersReferences(parts.db),
  }),
} satisfies ServerModule
