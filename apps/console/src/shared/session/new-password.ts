import { z } from 'zod'

/** Shortest new password, characters; the same as for the first administrator (`npm run admin:create`). */
export const MIN_PASSWORD_LENGTH = 10

/**
 * A new password as it is entered. The server gets only its hash and refuses hashes of common passwords, so the length can
 * be checked only here.
 */
export const newPassword = z.string().min(MIN_PASSWORD_LENGTH).max(128)

/** Letters and digits that are not mistaken for each other when a password is read out. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const GENERATED_LENGTH = 14

/** A random password. */
export function generatePassword(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(GENERATED_LENGTH))
  return Array.from(numbers, (number) => ALPHABET[number % ALPHABET.length]).join('')
}
