import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { ServerModule } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { NetworkService } from '../network/index.ts'
import { createDemoAccounts, removeDemoAccounts } from './demo-accounts.pg.ts'
import { createSessionHandlers } from './handlers.ts'
import { sessionMigrations } from './migrations.pg.ts'
import { createSessionQueries } from './queries.pg.ts'
import { seed } from './seed.pg.ts'
import { createSessionService, type SessionService } from './service.ts'
import { createLoginAttempts } from './sign-in/attempts.pg.ts'

export { createAdministrator, findPasswordFault } from './create-administrator.pg.ts'
export { DEMO_PASSWORD } from './demo-accounts.pg.ts'
export { endSessions } from './end-sessions.pg.ts'
export { listGrants } from './grants.pg.ts'
export { seed } from './seed.pg.ts'
export type { SessionAccess, SessionService } from './service.ts'
export { hashPassword, isPassword, toClientHash } from './sign-in/passwords.ts'
export { createToken, hashToken, TOKEN_LENGTH } from './sign-in/tokens.ts'

export interface SessionParts {
  readonly db: Database
  readonly network: NetworkService
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly mode: Config['mode']
}

/** Adds missing modules, roles and, in demo mode only, demo accounts. Call it after the import of the registry file. */
export async function createSession({
  db,
  network,
  signals,
  clock,
  log,
  mode,
}: SessionParts): Promise<SessionService> {
  const withDemo = mode === 'demo'
  await seed(db)
  await (withDemo ? createDemoAccounts(db) : removeDemoAccounts(db))
  const queries = createSessionQueries(db, { withDemo })
  const attempts = createLoginAttempts(db, clock, log)
  return createSessionService({ queries, attempts, network, signals, clock, log })
}

/** Sign-in, tokens and the access of accounts. */
export const sessionModule = {
  migrations: sessionMigrations,
  create: ({ session }: { readonly session: SessionService }) => ({
    handlers: createSessionHandlers(session),
  }),
} satisfies ServerModule
