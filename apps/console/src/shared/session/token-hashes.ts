import { hashPassword } from './password.ts'
import { findToken } from './tokens.ts'

/** Hashes of the tokens of this browser, by which the server recognises its sessions. Empty before a login. */
export const listTokenHashes = (store: Storage): string[] =>
  (['usr-cloud', 'ht-api'] as const)
    .map((backend) => findToken(store, backend))
    .filter((token) => token !== undefined)
    .map(hashPassword)
