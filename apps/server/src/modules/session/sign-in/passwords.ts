import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** What clients send for a password: SHA-256 of its UTF-8 in lower-case hex. */
export const toClientHash = (password: string): string => createHash('sha256').update(password).digest('hex')

/** Argon2id of a client's hash, with a salt of its own, by the library's defaults (19 MiB, 2 passes). */
export const hashPassword = (clientHash: string): Promise<string> => hash(clientHash)

// Of a random value nobody knows. Unknown accounts are checked against it, so that they take as long as
// known ones and cannot be told from them.
const nobody = hash(crypto.randomUUID())

/** Whether the client's hash is that of the stored password; takes the same time when there is none. */
export async function isPassword(stored: string | undefined, clientHash: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), clientHash)
  return matches && stored !== undefined
}
