import { randomInt } from 'node:crypto'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isPassword } from '../../session/index.ts'
import type { SendCode } from './code-gateway.ts'
import { addCode, type CodeOwner, countTry, setCode, withdrawCode } from './verification.pg.ts'
import { CODE_LIFE_MS } from './verification-limits.ts'

/** Proves by a code that a telephone number belongs to the caller. */
export interface Verification {
  /** False without a gateway: then no code is required. */
  readonly isConfigured: boolean
  /**
   * Sends a new code and returns its expiry, Unix ms. Throws verification.not-configured, verification.not-sent and
   * request.too-many.
   */
  send(owner: CodeOwner): Promise<number>
  /** Checks a code and counts the try. Returns the code's id for useCode. Throws verification.wrong. */
  check(owner: CodeOwner, code: string | undefined): Promise<number>
}

/** Six random digits. */
const createCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export interface VerificationNeeds {
  readonly db: Database
  /** Undefined without a gateway. */
  readonly sendCode: SendCode | undefined
  readonly hashCode: (code: string) => Promise<string>
  readonly clock: Pick<Clock, 'now'>
}

export function createVerification({ db, sendCode, hashCode, clock }: VerificationNeeds): Verification {
  return {
    isConfigured: sendCode !== undefined,

    async send(owner) {
      if (!sendCode) throw new AppError('verification.not-configured')
      const now = clock.now()
      const expiresAt = now + CODE_LIFE_MS
      const id = await addCode(db, owner, now)
      // The hash is slow on purpose, so it is computed only after the limits allow a code.
      const code = createCode()
      await setCode(db, id, { hash: await hashCode(code), expiresAt })
      try {
        await sendCode(owner.tel, code)
      } catch (error) {
        await withdrawCode(db, id)
        throw error
      }
      return expiresAt
    },

    async check(owner, code) {
      if (code === undefined) throw new AppError('verification.wrong')
      const sent = await countTry(db, owner, clock.now())
      if (!sent || !(await isPassword(sent.hash, code))) throw new AppError('verification.wrong')
      return sent.id
    },
  }
}
