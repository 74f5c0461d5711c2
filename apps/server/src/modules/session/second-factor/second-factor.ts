import { MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { findStep, hashRecoveryCode, isOneTimeCode, toPlainCode } from './codes.ts'
import type { Sealer } from './sealed.ts'
import {
  type FactorState,
  type Proof,
  readFactor,
  storeProof,
  useProof,
  useRecoveryCode,
  useStep,
} from './second-factor.pg.ts'

/** How long the browser that has entered a code needs no other one for the next sign-in. */
const PROOF_LIFE_MS = 2 * MINUTE_MS

/** What a sign-in contains of the second factor. */
export interface Offered {
  /** A one-time code or a recovery code. */
  readonly code: string | undefined
  /** Name of the browser; empty for a call within a session, which is no new sign-in and neither gets nor uses a proof. */
  readonly browser: string
}

export interface SecondFactors {
  /**
   * Returns if the account needs no second factor, or the offered one is right. A code is used up by it. Throws
   * session.second-factor without a code, session.wrong-code, and session.second-factor-missing if a role or the password policy requires a
   * factor that the account has not set up.
   */
  require(accountId: number, offered: Offered): Promise<void>
  /** Whether a session of the account may be prolonged: it has the factor that its roles require. */
  isSatisfied(accountId: number): Promise<boolean>
  read(accountId: number): Promise<FactorState>
  /** The step of a right code of a key that waits for its first code. Throws session.wrong-code. */
  checkFirst(accountId: number, state: FactorState, code: string): Promise<void>
  /** Lets the browser, if it has a name, sign in once without another code. */
  prove(accountId: number, browser: string): Promise<void>
  toProof(browser: string): Proof
}

export interface SecondFactorParts {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly sealer: Sealer
}

export function createSecondFactors({ db, clock, sealer }: SecondFactorParts): SecondFactors {
  async function isRight(accountId: number, { sealed }: FactorState, code: string): Promise<boolean> {
    const now = clock.now()
    const plain = toPlainCode(code)
    if (!isOneTimeCode(plain)) {
      return useRecoveryCode(db, accountId, hashRecoveryCode(plain), new Date(now))
    }
    const secret = sealed ? sealer.open(sealed, accountId) : undefined
    const step = secret && findStep(secret, plain, now)
    return step !== undefined && (await useStep(db, accountId, step))
  }

  const toProof = (browser: string): Proof => ({
    browserHash: hashToken(browser),
    until: new Date(clock.now() + PROOF_LIFE_MS),
  })

  return {
    async require(accountId, { code, browser }) {
      const state = await readFactor(db, accountId)
      if (!state.isOn) {
        if (state.isRequired) throw new AppError('session.second-factor-missing')
        return
      }
      if (code === undefined) {
        if (browser !== '' && (await useProof(db, accountId, hashToken(browser), new Date(clock.now()))))
          return
        throw new AppError('session.second-factor')
      }
      if (!(await isRight(accountId, state, code))) throw new AppError('session.wrong-code')
    },
    async isSatisfied(accountId) {
      const { isOn, isRequired } = await readFactor(db, accountId)
      return isOn || !isRequired
    },
    read: (accountId) => readFactor(db, accountId),
    async checkFirst(accountId, state, code) {
      if (!isOneTimeCode(toPlainCode(code)) || !(await isRight(accountId, state, code))) {
        throw new AppError('session.wrong-code')
      }
    },
    async prove(accountId, browser) {
      if (browser !== '') await storeProof(db, accountId, toProof(browser))
    },
    toProof,
  }
}
