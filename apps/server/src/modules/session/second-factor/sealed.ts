import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts small secrets for the database with a key that derives from the installation's secret. */
export interface Sealer {
  seal(secret: Buffer, owner: number): Buffer
  /** Undefined if the installation's secret has changed, or the value belongs to another owner. */
  open(sealed: Buffer, owner: number): Buffer | undefined
}

export function createSealer(installationSecret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, '', 'isotherm second factor', 32))
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(String(owner)))
      const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
    },
    open(sealed, owner) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      cipher
        .setAAD(Buffer.from(String(owner)))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
