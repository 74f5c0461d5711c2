import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** RFC 6238 with the values that every authenticator app supports: SHA-1, 6 digits, 30 s. */
const PERIOD_S = 30
const SECRET_BYTES = 20
/** Steps before and after the present one that are accepted, for clocks that differ. */
const WINDOW = 1
const ISSUER = 'Isotherm'

const RECOVERY_CODES = 10
/** Above 112 bits a fast hash is as good as a slow one (NIST SP 800-63B, 5.1.2.2). */
const RECOVERY_BYTES = 15

export const createSecret = (): Buffer => randomBytes(SECRET_BYTES)

const toTotp = (secret: Buffer, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    period: PERIOD_S,
  })

/** What an authenticator app reads: the key in base 32, and the address for a QR code. */
export function toEnrolment(
  secret: Buffer,
  account: string,
): { readonly secret: string; readonly url: string } {
  const totp = toTotp(secret, account)
  return { secret: totp.secret.base32, url: totp.toString() }
}

/** The time step that a code is of; undefined for a wrong code. `now`: Unix ms. */
export function findStep(secret: Buffer, code: string, now: number): number | undefined {
  const delta = toTotp(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta
}

/** A typed code without spaces and hyphens, in capitals. */
export const toPlainCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

export const isOneTimeCode = (code: string): boolean => /^\d{6}$/.test(code)

/** Codes for a lost device, 120 random bits each, in groups of four letters and digits. */
export const createRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_BYTES)).buffer })
    return base32.match(/.{4}/g)?.join('-') ?? base32
  })

/** What is stored of a recovery code. Older codes have 80 bits. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(toPlainCode(code)).digest()
