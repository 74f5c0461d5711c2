import { z } from 'zod'

/** Longest password, characters. */
export const MAX_PASSWORD_LENGTH = 128

/** What a new password must satisfy, and how long it is valid. */
export const passwordRules = z.object({
  /** Shortest password, characters. */
  minLength: z.number().int().min(8).max(64),
  /** Number of different kinds of characters: small letters, capital letters, digits, others. */
  minKinds: z.number().int().min(1).max(4),
  /** A new password differs from this many earlier ones, the present one included. 0 allows every password. */
  history: z.number().int().min(0).max(24),
  /** A password expires after this many days; 0 never. */
  maxAgeDays: z.number().int().min(0).max(3_650),
  /** Whether users must change a password that an administrator gave them before they can sign in. */
  mustChangeGiven: z.boolean(),
  /** A password that an administrator gave ends after this many days if its user has not changed it; 0 never. */
  givenDays: z.number().int().min(0).max(365),
  /** Whether every account needs a second factor to sign in, whatever its roles are. */
  needsSecondFactor: z.boolean(),
  /** A session ends after this many minutes without input of its user; 0 never. */
  idleMinutes: z.number().int().min(0).max(1_440),
})
export type PasswordRules = z.infer<typeof passwordRules>

/** Rules of a new installation. */
export const defaultPasswordRules: PasswordRules = {
  minLength: 10,
  minKinds: 1,
  history: 1,
  maxAgeDays: 0,
  mustChangeGiven: false,
  givenDays: 0,
  needsSecondFactor: false,
  idleMinutes: 0,
}

const toShorter = (one: number, other: number): number =>
  one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other)

/** The stricter rule of each kind. The rules of a company can only tighten those of the installation. */
export const toStricterRules = (one: PasswordRules, other: PasswordRules): PasswordRules => ({
  minLength: Math.max(one.minLength, other.minLength),
  minKinds: Math.max(one.minKinds, other.minKinds),
  history: Math.max(one.history, other.history),
  maxAgeDays: toShorter(one.maxAgeDays, other.maxAgeDays),
  mustChangeGiven: one.mustChangeGiven || other.mustChangeGiven,
  givenDays: toShorter(one.givenDays, other.givenDays),
  needsSecondFactor: one.needsSecondFactor || other.needsSecondFactor,
  idleMinutes: toShorter(one.idleMinutes, other.idleMinutes),
})

const kinds: readonly RegExp[] = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u]

/** Number of different kinds of characters in a password. A Chinese character is of the kind "others". */
export const countKinds = (password: string): number => kinds.filter((kind) => kind.test(password)).length

/** Length of a password as users count it: an emoji is one character. */
export const toPasswordLength = (password: string): number => [...password].length
