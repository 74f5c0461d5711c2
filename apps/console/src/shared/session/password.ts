import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * Hash sent instead of a password: SHA-256 of its UTF-8 bytes in lower-case hex. Web Crypto is not available on plain
 * HTTP.
 */
export const hashPassword = (password: string): string => bytesToHex(sha256(utf8ToBytes(password)))
