import { createHmac, timingSafeEqual } from 'node:crypto'
import { downChannels, parseUpTopic, toDownTopic, topicPart } from '@isotherm/contract/mqtt'

/** An authenticated gateway. `gateway` is its name in topics. */
export interface GatewayIdentity {
  readonly tenant: string
  readonly gateway: string
}

/** Password of a gateway: hex HMAC-SHA256 of its user name with the installation's secret (contract mqtt.ts). */
export const toGatewayPassword = (secret: string, username: string): string =>
  createHmac('sha256', secret).update(username).digest('hex')

function isEqual(given: Uint8Array, expected: string): boolean {
  const expectedBytes = Buffer.from(expected)
  return given.length === expectedBytes.length && timingSafeEqual(given, expectedBytes)
}

/** Identity of the gateway of a connection; undefined if user name, password and client id are not valid together. */
export function findGatewayIdentity(
  secret: string,
  clientId: string,
  username: string | undefined,
  password: Uint8Array | undefined,
): GatewayIdentity | undefined {
  const [tenant, gateway, ...rest] = (username ?? '').split(':')
  if (!tenant || !gateway || rest.length > 0 || username === undefined || password === undefined)
    return undefined
  if (!topicPart.safeParse(tenant).success || !topicPart.safeParse(gateway).success) return undefined
  if (clientId !== gateway) return undefined
  return isEqual(password, toGatewayPassword(secret, username)) ? { tenant, gateway } : undefined
}

/** Whether the gateway may publish on the topic: only on its own up channels. */
export function mayPublish(identity: GatewayIdentity, topic: string): boolean {
  const up = parseUpTopic(topic)
  return up !== undefined && up.tenant === identity.tenant && up.gateway === identity.gateway
}

/** Whether the gateway may subscribe to the filter: its own down channels, one or all. */
export const maySubscribe = ({ tenant, gateway }: GatewayIdentity, filter: string): boolean =>
  filter === `hx/v1/${tenant}/${gateway}/down/#` ||
  filter === `hx/v1/${tenant}/${gateway}/down/+` ||
  downChannels.some((channel) => filter === toDownTopic(tenant, gateway, channel))
