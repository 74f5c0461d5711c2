import { createHash, randomBytes } from 'node:crypto'

/** How long a token is good (specification, section 9). */
export const TOKEN_LIFE_MS = 2 * 60 * 60 * 1000

/** How long a token still works after it was exchanged: calls with it may be under way in other tabs. */
export const EXCHANGE_GRACE_MS = 60 * 1000

/** 256 random bits as text. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token or of a browser's name: who reads the database cannot sign in with it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
