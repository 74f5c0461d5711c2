import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import {
  downChannels,
  type GatewayName,
  parseMqttUsername,
  parseUpTopic,
  toDownTopic,
  toMqttUsername,
  toPasswordText,
} from '@isotherm/contract/mqtt'
import type { CertificateRefusal } from './tls/judge-certificate.ts'

/** Why a one-time token does not let its gateway in. */
export type TokenRefusal = 'wrong-token' | 'expired-token' | 'spent-token'

/** Why a gateway may not sign in. */
export type SignInRefusal =
  | 'bad-name'
  | 'wrong-client-id'
  | 'unknown-serial'
  | 'wrong-password'
  | 'revoked'
  | 'retired'
  | 'elsewhere'
  | TokenRefusal
  | CertificateRefusal

/** What the registry says about a gateway that signs in. */
export interface GatewayAccess {
  /** `elsewhere`: another server serves its company. */
  readonly state: 'in-use' | 'retired' | 'revoked' | 'unknown' | 'elsewhere'
  /** Version of its password, see toPasswordText. */
  readonly version: number
  /** Certificates that were issued until then no longer hold, Unix ms; absent: all hold. */
  readonly certificatesFrom?: number | undefined
  /** It reports through a concentrator, and has no connection of its own to stand for. Absent: it does not. */
  readonly hasConcentrator?: boolean | undefined
}

/** Password of a gateway, in lower-case hex (contract mqtt.ts). */
export const toGatewayPassword = (secret: string, name: GatewayName, version = 0): string =>
  createHmac('sha256', secret).update(toPasswordText(name, version)).digest('hex')

/** Digits of tokens: without letters that look like others. 26 of 32 digits are 130 bits. */
const TOKEN_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const TOKEN_LENGTH = 26

/** A one-time token for the first connection of a gateway. */
export const createToken = (): string =>
  `once-${Array.from({ length: TOKEN_LENGTH }, () => TOKEN_DIGITS[randomInt(TOKEN_DIGITS.length)]).join('')}`

function isEqual(given: Uint8Array, expected: string): boolean {
  const expectedBytes = Buffer.from(expected)
  return given.length === expectedBytes.length && timingSafeEqual(given, expectedBytes)
}

/**
 * The gateway that a connection claims to be; undefined if the user name is none. The client id is the user name, or only
 * the serial, as gateways were configured until 0.2.
 */
export function findClaimedGateway(
  clientId: string,
  username: string,
): GatewayName | 'wrong-client-id' | 'bad-name' {
  const name = parseMqttUsername(username)
  if (!name) return 'bad-name'
  return [name.gateway, toMqttUsername(name.tenant, name.gateway), username].includes(clientId)
    ? name
    : 'wrong-client-id'
}

/**
 * Why the gateway may not sign in with the password; undefined if it may. A gateway that the registry does not know is
 * let in with its derived password: its messages are quarantined until it is added.
 */
export function judgeSignIn(
  secret: string,
  name: GatewayName,
  password: Uint8Array,
  { state, version }: GatewayAccess,
): SignInRefusal | undefined {
  if (state === 'retired' || state === 'revoked' || state === 'elsewhere') return state
  if (isEqual(password, toGatewayPassword(secret, name, version))) return undefined
  return state === 'unknown' ? 'unknown-serial' : 'wrong-password'
}

/** Whether the gateway may publish on the topic: only on its own up channels. */
export function mayPublish(identity: GatewayName, topic: string): boolean {
  const up = parseUpTopic(topic)
  return up !== undefined && up.tenant === identity.tenant && up.gateway === identity.gateway
}

/** Whether the gateway may subscribe to the filter: its own down channels, one or all. */
export const maySubscribe = ({ tenant, gateway }: GatewayName, filter: string): boolean =>
  filter === `hx/v1/${tenant}/${gateway}/down/#` ||
  filter === `hx/v1/${tenant}/${gateway}/down/+` ||
  downChannels.some((channel) => filter === toDownTopic(tenant, gateway, channel))
