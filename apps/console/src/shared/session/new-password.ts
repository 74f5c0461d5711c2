import {
  countKinds,
  defaultPasswordRules,
  MAX_PASSWORD_LENGTH,
  type PasswordRules,
  toPasswordLength,
} from '@isotherm/contract/access/password-rules'
import { z } from 'zod'
import { hashPassword } from './password.ts'

/** A new password as calls take it: its hash, and itself for the server's checks. */
export const toGivenPassword = (text: string) => ({ password: hashPassword(text), passwordText: text })

/** A new password as it is entered. The server also refuses common and earlier passwords and the account name. */
export const toPasswordSchema = ({ minLength, minKinds }: PasswordRules) =>
  z
    .string()
    .min(minLength)
    .max(MAX_PASSWORD_LENGTH)
    .refine((text) => toPasswordLength(text) >= minLength && countKinds(text) >= minKinds)

/** Letters, digits and signs that are not mistaken for each other when a password is read out. */
const ALPHABETS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '+-*/=#%'] as const
const GENERATED_LENGTH = 14

/** A random password that satisfies the rules. */
export function generatePassword(rules: PasswordRules = defaultPasswordRules): string {
  const alphabet = ALPHABETS.slice(0, Math.max(3, rules.minKinds)).join('')
  const schema = toPasswordSchema(rules)
  for (;;) {
    const numbers = crypto.getRandomValues(new Uint32Array(Math.max(GENERATED_LENGTH, rules.minLength)))
    const text = Array.from(numbers, (number) => alphabet[number % alphabet.length]).join('')
    if (schema.safeParse(text).success) return text
  }
}
