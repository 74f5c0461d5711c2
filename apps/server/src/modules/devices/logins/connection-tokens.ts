import type { GatewayName } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { TokenAttempt } from '../../../platform/mqtt/broker-port.ts'
import type { TokenRefusal } from '../../../platform/mqtt/gateway-access.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { redeemToken, type SignIn, spendTokens } from './connection-token-store.pg.ts'

/** Sign-ins within this time share one statement, because thousands of gateways can reconnect at once. */
const GATHER_MS = 200
const PAUSE_MS = 60_000

export interface ConnectionTokens {
  /** Signs a gateway in with a token; otherwise returns why not. */
  redeem(attempt: TokenAttempt): Promise<TokenRefusal | undefined>
  /** Records that a gateway signed in with its password: a token that it used becomes void. */
  recordPassword(gateway: GatewayName): void
  close(): Promise<void>
}

/** One-time tokens of gateways at the embedded broker. */
export function createConnectionTokens({
  db,
  clock,
  log,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}): ConnectionTokens {
  let signedIn = new Map<string, SignIn>()

  async function spend(): Promise<void> {
    if (signedIn.size === 0) return
    const spending = signedIn
    signedIn = new Map()
    try {
      await spendTokens(db, [...spending.values()])
    } catch (error) {
      // The next run repeats it: a token must not stay valid because the database was away.
      signedIn = new Map([...spending, ...signedIn])
      throw error
    }
  }

  const loop = startPollLoop({
    clock,
    work: spend,
    pauseMs: PAUSE_MS,
    gatherMs: GATHER_MS,
    onError: (err) => log.warn({ err }, 'could not make used one-time tokens void'),
  })

  return {
    redeem: (attempt) =>
      db.transaction().execute((transaction) => redeemToken(transaction, attempt, clock.now())),
    recordPassword({ tenant, gateway }) {
      signedIn.set(`${tenant}/${gateway}`, { tenant, gateway, at: clock.now() })
      loop.wake()
    },
    async close() {
      await loop.close()
      await spend().catch((err: unknown) => log.warn({ err }, 'could not make used one-time tokens void'))
    },
  }
}
