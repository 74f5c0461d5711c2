import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** The hash that clients send instead of a password: SHA-256 of its UTF-8, lower-case hex. */
export const toClientHash = (password: string): string => createHash('sha256').update(password).digest('hex')

/** Argon2id of a client's hash with a random salt and the library's defaults (19 MiB, 2 passes). */
export const hashPassword = (clientHash: string): Promise<string> => hash(clientHash)

// The hash of a random value. Unknown accounts are checked against it, so that the check takes as long as for known
// accounts and does not reveal which accounts exist.
const nobody = hash(crypto.randomUUID())

/** Whether the client's hash matches the stored password. Takes the same time without a stored password. */
export async function isPassword(stored: string | undefined, clientHash: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), clientHash)
  return matches && stored !== undefined
}
