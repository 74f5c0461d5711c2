import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { ServerModule } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { NetworkService } from '../network/index.ts'
import { createDemoAccounts, removeDemoAccounts } from './demo-accounts.pg.ts'
import { isSeparate, separateDuties } from './duties/separate-duties.pg.ts'
import { createSessionHandlers } from './handlers.ts'
import { sessionMigrations } from './migrations.pg.ts'
import { createOidcClient } from './oidc/oidc-client.ts'
import { createSingleSignOn } from './oidc/single-sign-on.ts'
import { createPasswordPolicies } from './passwords/password-policies.pg.ts'
import { createSessionQueries } from './queries.pg.ts'
import { createEnrolment } from './second-factor/enrolment.ts'
import { createSealer } from './second-factor/sealed.ts'
import { createSecondFactors } from './second-factor/second-factor.ts'
import { seed } from './seed.pg.ts'
import { createSessionService, type SessionService } from './service.ts'
import { createLoginAttempts } from './sign-in/attempts.pg.ts'
import { createPasswordCheck } from './sign-in/check-password.ts'

export { createAdministrator, findPasswordFault } from './create-administrator.pg.ts'
export { DEMO_PASSWORD } from './demo-accounts.pg.ts'
export { endSessions } from './end-sessions.pg.ts'
export { listGrants } from './grants.pg.ts'
export { setPassword } from './passwords/password-history.pg.ts'
export { requirePassword } from './passwords/require-password.ts'
export { removeFactor } from './second-factor/second-factor.pg.ts'
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
  /** Language of the names of demo accounts; Chinese by default. */
  readonly demoLanguage?: Config['demoLanguage']
  /** Secret from which the key of sealed values derives. */
  readonly secret: string
  /** Whether administration of system, security and audit is separate. */
  readonly hasSeparateDuties?: boolean
}

/** Adds missing modules, roles and, in demo mode only, demo accounts. Call it after the import of the registry file. */
export async function createSession({
  db,
  network,
  signals,
  clock,
  log,
  mode,
  demoLanguage = 'zh',
  secret,
  hasSeparateDuties = false,
}: SessionParts): Promise<SessionService> {
  const withDemo = mode === 'demo'
  await seed(db)
  await separateDuties(db, hasSeparateDuties)
  await (withDemo ? createDemoAccounts(db, demoLanguage) : removeDemoAccounts(db))
  const queries = createSessionQueries(db, { withDemo })
  const attempts = createLoginAttempts(db, clock, log)
  const factors = createSecondFactors({ db, clock, sealer: createSealer(secret) })
  return createSessionService({ queries, attempts, factors, network, signals, clock, log })
}

interface SessionModuleParts {
  readonly session: SessionService
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'mode' | 'factorSecret' | 'oidc'>
}

/** Sign-in, tokens and the access of accounts. */
export const sessionModule = {
  migrations: sessionMigrations,
  create({ session, db, clock, log, config }: SessionModuleParts) {
    const sealer = createSealer(config.factorSecret)
    const factors = createSecondFactors({ db, clock, sealer })
    const queries = createSessionQueries(db, { withDemo: config.mode === 'demo' })
    const checkPassword = createPasswordCheck({
      queries,
      clock,
      attempts: createLoginAttempts(db, clock, log),
    })
    const enrolment = createEnrolment({ db, clock, sealer, factors, checkPassword })
    const provider = config.oidc && { config: config.oidc, client: createOidcClient(config.oidc, log) }
    const singleSignOn = createSingleSignOn({ db, clock, session, provider })
    return {
      handlers: createSessionHandlers(
        session,
        createPasswordPolicies(db),
        () => isSeparate(db),
        enrolment,
        singleSignOn,
      ),
    }
  },
} satisfies ServerModule
