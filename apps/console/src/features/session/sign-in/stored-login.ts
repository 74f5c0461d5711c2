import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/** Account and password hash for the renewal of an expired session. */
export interface StoredLogin {
  readonly account: string
  readonly passwordHash: string
}

/** A login: the stored part, and the code of a second factor, which works once and is never stored. */
export interface GivenLogin extends StoredLogin {
  readonly code?: string | undefined
}

export interface StoredLoginPorts {
  /** Session storage, cleared with the tab. */
  readonly tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Local storage, which holds only the random key. */
  readonly shared: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly randomBytes: (count: number) => Uint8Array
}

const ACCOUNT = 'isotherm.login.account'
const SEALED = 'isotherm.login.sealed'
const KEY = 'isotherm.login.key'
const HASH_BYTES = 32

const combine = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  left.map((byte, index) => byte ^ (right[index] ?? 0))

/** Fingerprint of a key, to check that a key matches without storing it. */
const toMark = (key: Uint8Array): string => bytesToHex(sha256(key)).slice(0, 16)

/**
 * Stores the password hash, never the password, encrypted for this tab. The hash is combined with a random key of the
 * same length that is used once (one-time pad); the key is in the other storage. A login in another tab replaces the
 * key; then nothing is found here and the user must enter the password.
 */
export function createStoredLogin(ports: StoredLoginPorts) {
  const forget = (): void => {
    ports.tab.removeItem(ACCOUNT)
    ports.tab.removeItem(SEALED)
    ports.shared.removeItem(KEY)
  }
  return {
    store({ account, passwordHash }: StoredLogin): void {
      const key = ports.randomBytes(HASH_BYTES)
      const sealed = bytesToHex(combine(hexToBytes(passwordHash), key))
      ports.tab.setItem(ACCOUNT, account)
      ports.tab.setItem(SEALED, `${toMark(key)}.${sealed}`)
      ports.shared.setItem(KEY, bytesToHex(key))
    },
    find(): StoredLogin | undefined {
      const account = ports.tab.getItem(ACCOUNT)
      const [mark, sealed] = (ports.tab.getItem(SEALED) ?? '').split('.')
      const keyHex = ports.shared.getItem(KEY)
      if (!account || !mark || !sealed || !keyHex || !/^[0-9a-f]{64}$/.test(keyHex)) return undefined
      if (!/^[0-9a-f]{64}$/.test(sealed)) return undefined
      const key = hexToBytes(keyHex)
      if (toMark(key) !== mark) return undefined
      return { account, passwordHash: bytesToHex(combine(hexToBytes(sealed), key)) }
    },
    forget,
  }
}
