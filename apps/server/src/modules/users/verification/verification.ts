import { randomInt } from 'node:crypto'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import { hashPassword, isPassword } from '../../session/index.ts'
import type { SendCode } from './code-gateway.ts'
import type { CodeOwner, VerificationStore } from './verification.pg.ts'
import { CODE_LIFE_MS } from './verification-limits.ts'

/** Proves that a telephone number belongs to who says so. */
export interface Verification {
  /** False without a gateway: then nobody is asked for a code. */
  readonly isConfigured: boolean
  /**
   * Sends a new code; gives when it ends, Unix ms. Throws verification.not-configured, verification.not-sent and
   * request.too-many.
   */
  send(owner: CodeOwner): Promise<number>
  /** Counts a try and gives what useCode takes. Throws verification.wrong. */
  check(owner: CodeOwner, code: string | undefined): Promise<number>
}

/** Six digits, each as likely as any other. */
const createCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export function createVerification(
  store: VerificationStore,
  sendCode: SendCode | undefined,
  clock: Pick<Clock, 'now'>,
): Verification {
  return {
    isConfigured: sendCode !== undefined,

    async send(owner) {
      if (!sendCode) throw new AppError('verification.not-configured')
      const now = clock.now()
      const expiresAt = now + CODE_LIFE_MS
      const id = await store.add(owner, now)
      // A hash takes much of a processor, on purpose: only who may have a code sent costs one.
      const code = createCode()
      await store.setCode(id, { hash: await hashPassword(code), expiresAt })
      try {
        await sendCode(owner.tel, code)
      } catch (error) {
        await store.withdraw(id)
        throw error
      }
      return expiresAt
    },

    async check(owner, code) {
      if (code === undefined) throw new AppError('verification.wrong')
      const taken = await store.takeTry(owner, clock.now())
      if (!taken || !(await isPassword(taken.hash, code))) throw new AppError('verification.wrong')
      return taken.id
    },
  }
}
