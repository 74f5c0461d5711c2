import { live } from './live.ts'

/** The server's present instant, Unix ms: ranges that end now end at its now. */
export const readServerNow = (): number => Date.now() + live.status().clockOffsetMs
