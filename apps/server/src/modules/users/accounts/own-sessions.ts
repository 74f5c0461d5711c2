import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { endOwnSessions, getOwnSessions } from '@isotherm/contract/endpoints/administration/user-access'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { endSessions } from '../../session/index.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { isExternal, listSessions, readOwnSession } from '../queries/sessions.pg.ts'

/** How long after its start a session of an account without a password here may end others. */
const FRESH_MS = 10 * MINUTE_MS

/** Users see the sessions of their own account and end them. Who only found an open console must not end them. */
export function createOwnSessions({
  db,
  clock,
  session,
}: Pick<UsersDependencies, 'db' | 'clock' | 'session'>) {
  /** Throws session.not-fresh, or what a wrong password or code does. */
  async function proveUser(
    call: Call,
    { password, code }: Pick<InputOf<typeof endOwnSessions>, 'password' | 'code'>,
  ): Promise<void> {
    const { caller } = call
    if (await isExternal(db, caller.accountId)) {
      const own = await readOwnSession(db, caller)
      if (clock.now() - own.createdAt.getTime() > FRESH_MS) throw new AppError('session.not-fresh')
      return
    }
    if (password === undefined) throw new AppError('session.bad-credentials')
    await session.verify({ username: caller.account, password, code }, call, async () => {})
  }

  return {
    async list(
      { caller }: Call,
      { limiter }: InputOf<typeof getOwnSessions>,
    ): Promise<OutputOf<typeof getOwnSessions>> {
      const [found, isOfOther] = await Promise.all([
        listSessions(db, caller, { uid: caller.accountId, limiter, now: clock.now() }),
        isExternal(db, caller.accountId),
      ])
      return { ...found, needsPassword: !isOfOther }
    },

    /** Ends all of the sessions or, if one is of another account or has ended, none. */
    async end(call: Call, { ids, ...proof }: InputOf<typeof endOwnSessions>) {
      await proveUser(call, proof)
      const { accountId } = call.caller
      const sessionIds = [...new Set(ids)]
      return operate(db, call.operation, async (transaction) => {
        const ended = await endSessions(transaction, { sessionIds, accountId }, clock.now())
        if (ended < sessionIds.length) throw new AppError('session.not-found')
        return { ended }
      })
    },
  }
}
