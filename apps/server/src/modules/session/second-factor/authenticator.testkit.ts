import { Secret, TOTP } from 'otpauth'

/** The code of a key in base 32 at an instant, as an authenticator app shows it. `now`: Unix ms. */
export const toCode = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })
