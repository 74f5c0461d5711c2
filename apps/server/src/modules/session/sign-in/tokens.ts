import { createHash, randomBytes } from 'node:crypto'

/** How long a token is valid (specification, section 9). */
export const TOKEN_LIFE_MS = 2 * 60 * 60 * 1000

/** How long a token stays valid after its exchange: calls of other tabs may still use it. */
export const EXCHANGE_GRACE_MS = 60 * 1000

/** 256 random bits as text. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token or a browser's name. A reader of the database cannot sign in with it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
