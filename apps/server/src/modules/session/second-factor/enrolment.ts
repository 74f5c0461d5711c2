import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/administration/second-factor'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller, PublicCall } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { endSessions } from '../end-sessions.pg.ts'
import type { PasswordCheck } from '../sign-in/check-password.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { createRecoveryCodes, createSecret, hashRecoveryCode, toEnrolment } from './codes.ts'
import type { Sealer } from './sealed.ts'
import { confirmFactor, removeFactor, startFactor } from './second-factor.pg.ts'
import type { SecondFactors } from './second-factor.ts'

export interface EnrolmentParts {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly sealer: Sealer
  readonly factors: SecondFactors
  readonly checkPassword: PasswordCheck
}

/**
 * Turns the second factor of an account on and off. Every step needs the password instead of a session: a role may
 * require the factor before the first session. A wrong code counts as a failed sign-in. A change ends the other sessions
 * of the account: one of them may be that of a thief. Those of the browser and of the given tokens go on.
 */
export function createEnrolment({ db, clock, sealer, factors, checkPassword }: EnrolmentParts) {
  const toOtherSessions = (accountId: number, { browser }: PublicCall, tokenHashes: readonly string[]) => ({
    accountIds: [accountId],
    except: {
      browserHash: hashToken(browser),
      tokenHashes: tokenHashes.map((hash) => Buffer.from(hash, 'hex')),
    },
  })

  return {
    async find({ accountId }: Caller): Promise<OutputOf<typeof api.getSecondFactor>> {
      const { isOn, isRequired, recoveryCodesLeft } = await factors.read(accountId)
      return { isOn, isRequired, recoveryCodesLeft }
    },

    async start(input: InputOf<typeof api.startSecondFactor>, call: PublicCall) {
      const { account, attempt } = await checkPassword(input, call)
      // Earlier failures stay counted: a caller who knows the password must not get more guesses at the code by it.
      await attempt.forgive()
      const secret = createSecret()
      const sealed = sealer.seal(secret, account.id)
      const isStarted = await operate(db, call.operation, (transaction) =>
        startFactor(transaction, account.id, sealed),
      )
      if (!isStarted) throw new AppError('second-factor.on')
      return toEnrolment(secret, account.account)
    },

    async confirm(
      { code, tokenHashes = [], ...credentials }: InputOf<typeof api.confirmSecondFactor>,
      call: PublicCall,
    ) {
      const { account, attempt } = await checkPassword(credentials, call)
      const state = await factors.read(account.id)
      const { sealed } = state
      if (state.isOn) throw new AppError('second-factor.on')
      if (sealed === null) throw new AppError('second-factor.off')
      await factors.checkFirst(account.id, state, code)
      await attempt.succeed()
      const recoveryCodes = createRecoveryCodes()
      await operate(db, call.operation, async (transaction) => {
        const isConfirmed = await confirmFactor(transaction, account.id, {
          sealed,
          codeHashes: recoveryCodes.map(hashRecoveryCode),
          proof: factors.toProof(call.browser),
          now: new Date(clock.now()),
        })
        // Another call has turned it on, or has started again with another key, meanwhile.
        if (!isConfirmed) throw new AppError('session.wrong-code')
        await endSessions(transaction, toOtherSessions(account.id, call, tokenHashes), clock.now())
      })
      return { recoveryCodes: [...recoveryCodes] }
    },

    async remove(
      { code, tokenHashes = [], ...credentials }: InputOf<typeof api.removeSecondFactor>,
      call: PublicCall,
    ) {
      const { account, attempt } = await checkPassword(credentials, call)
      const state = await factors.read(account.id)
      if (!state.isOn) throw new AppError('second-factor.off')
      await factors.require(account.id, { code, browser: call.browser })
      await attempt.succeed()
      if (state.isRequired) throw new AppError('second-factor.required')
      await operate(db, call.operation, async (transaction) => {
        await removeFactor(transaction, account.id)
        await endSessions(transaction, toOtherSessions(account.id, call, tokenHashes), clock.now())
      })
      return {}
    },
  }
}
export type Enrolment = ReturnType<typeof createEnrolment>
