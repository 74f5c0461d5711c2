import { live } from './live.ts'

/** Current time of the server, Unix ms. Use it as the end of a range that ends now. */
export const readServerNow = (): number => Date.now() + live.status().clockOffsetMs
