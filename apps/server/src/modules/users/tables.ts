import type { Generated, GeneratedAlways } from 'kysely'

/** A code that was sent to a telephone number. */
export interface VerificationCodeTable {
  id: GeneratedAlways<number>
  tel: string
  /** The account that had it sent. Only this account can use it. */
  account_id: number
  /** Argon2id: six digits could be guessed from a faster hash. */
  code_hash: string
  sent_at: Date
  expires_at: Date
  tries: Generated<number>
  used_at: Date | null
}

declare module '../../platform/tables.ts' {
  interface Tables {
    verification_code: VerificationCodeTable
  }
}
