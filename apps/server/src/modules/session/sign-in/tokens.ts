import { createHash, randomBytes } from 'node:crypto'
import { DAY_MS } from '@isotherm/kernel/durations'

/** How long a token is valid (specification, section 9). */
export const TOKEN_LIFE_MS = 2 * 60 * 60 * 1000

/** A session is prolonged until this age, ms; then its user signs in again (NIST SP 800-63B). */
export const MAX_SESSION_MS = 30 * DAY_MS

/** How long a token stays valid after its exchange: calls of other tabs may still use it. */
export const EXCHANGE_GRACE_MS = 60 * 1000

const TOKEN_BYTES = 32

/** 256 random bits as text. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Characters of a token: six bits each. */
export const TOKEN_LENGTH = Math.ceil((8 * TOKEN_BYTES) / 6)

/** The stored form of a token or a browser's name. A reader of the database cannot sign in with it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
