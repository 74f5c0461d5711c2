import { live } from './live.ts'

/** Present instant of the server, Unix ms. Ranges that end now end here. */
export const readServerNow = (): number => Date.now() + live.status().clockOffsetMs
