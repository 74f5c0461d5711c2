import { randomBytes } from 'node:crypto'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { finishSingleSignOn } from '@isotherm/contract/endpoints/administration/single-sign-on'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { OidcConfig } from '../../../platform/config/oidc.ts'
import type { PublicCall } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { readFactor } from '../second-factor/second-factor.pg.ts'
import type { SessionService } from '../service.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import { createToken, hashToken } from '../sign-in/tokens.ts'
import { identify, storePending, takePending } from './identities.pg.ts'
import type { OidcClient, ProvidedUser } from './oidc-client.ts'

/** How long a user may take at the provider. */
const PENDING_LIFE_MS = 10 * MINUTE_MS

export interface SingleSignOnParts {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly session: Pick<SessionService, 'open'>
  /** Undefined if no provider is configured. */
  readonly provider: { readonly config: OidcConfig; readonly client: OidcClient } | undefined
}

/** Sign-in at the company's OpenID Connect provider instead of a password of this server. */
export function createSingleSignOn({ db, clock, session, provider }: SingleSignOnParts) {
  function getProvider() {
    if (!provider) throw new AppError('single-sign-on.off')
    return provider
  }
  /** Throws single-sign-on.one-factor if a role or the password policy requires more than the provider states. */
  async function requireFactors(
    transaction: Transaction<Tables>,
    accountId: number,
    { twoFactors }: OidcConfig,
    user: ProvidedUser,
  ): Promise<void> {
    if (twoFactors.length === 0 || user.hasTwoFactors) return
    if ((await readFactor(transaction, accountId)).isRequired) throw new AppError('single-sign-on.one-factor')
  }

  /** Stores account and roles of a person. Returns the account's id, or throws what refuses the sign-in. */
  async function admit(config: OidcConfig, user: ProvidedUser, { operation }: PublicCall): Promise<number> {
    const given = {
      passwordHash: await hashPassword(randomBytes(32).toString('hex')),
      now: clock.now(),
    }
    try {
      return await operate(db, operation, async (transaction) => {
        const { id } = await identify(transaction, config, user, given)
        await requireFactors(transaction, id, config, user)
        return id
      })
    } catch (error) {
      // Who lost a role must not go on with it because this sign-in is refused.
      if (error instanceof AppError && error.code === 'single-sign-on.one-factor') {
        const store = (transaction: Transaction<Tables>) => identify(transaction, config, user, given)
        await operate(db, operation, store, error.code)
      }
      throw error
    }
  }

  return {
    async start() {
      const { url, ...checks } = await getProvider().client.start()
      const secret = createToken()
      const now = clock.now()
      const times = { now: new Date(now), until: new Date(now + PENDING_LIFE_MS) }
      await storePending(db, hashToken(secret), checks, times)
      return { url, secret }
    },

    async finish({ secret, ...answer }: InputOf<typeof finishSingleSignOn>, call: PublicCall) {
      const { client, config } = getProvider()
      const checks = await takePending(db, hashToken(secret), new Date(clock.now()))
      if (!checks) throw new AppError('single-sign-on.refused')
      const user = await client.finish(answer, checks)
      call.operation.account = user.account
      const { first, second } = await session.open(await admit(config, user, call), call)
      const { token, expiresAt, account } = first
      return { token, expiresAt, uid: account.id, data: second.token, utype: account.utype }
    },
  }
}
export type SingleSignOn = ReturnType<typeof createSingleSignOn>
