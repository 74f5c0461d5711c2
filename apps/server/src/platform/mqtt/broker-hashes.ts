import { createHash, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { BrokerLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'

/**
 * Rounds of PBKDF2, as `mosquitto_passwd` uses. More would protect passwords that people choose; those of gateways have
 * 256 random bits.
 */
const MOSQUITTO_ROUNDS = 101

/** Hash in Mosquitto's password file, as `mosquitto_passwd` 2.0 writes it. */
function toMosquittoHash(password: string): string {
  const salt = randomBytes(12)
  const hash = pbkdf2Sync(password, salt, MOSQUITTO_ROUNDS, 64, 'sha512')
  return `$7$${MOSQUITTO_ROUNDS}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** First six bits of what is `+` in base64, with which a spreadsheet begins a formula. */
const PLUS = 62

/** A salt of 4 bytes, with which a hash in base64 does not begin with `+`. */
function toRabbitSalt(): Buffer {
  const salt = randomBytes(4)
  return salt.readUInt8(0) >> 2 === PLUS ? toRabbitSalt() : salt
}

/** RabbitMQ's hash of a password: base64 of a salt of 4 bytes, and the SHA-256 of salt and password. */
function toRabbitHash(password: string): string {
  const salt = toRabbitSalt()
  return Buffer.concat([salt, createHash('sha256').update(salt).update(password).digest()]).toString('base64')
}

/** Hashes of a password for the lists of Mosquitto, EMQX and RabbitMQ. */
export function toBrokerLogin({
  username,
  password,
}: {
  readonly username: string
  readonly password: string
}): BrokerLogin {
  const emqxSalt = randomBytes(8).toString('hex')
  return {
    username,
    mosquitto: toMosquittoHash(password),
    emqxHash: createHash('sha256')
      .update(emqxSalt + password)
      .digest('hex'),
    emqxSalt,
    rabbitmq: toRabbitHash(password),
  }
}
