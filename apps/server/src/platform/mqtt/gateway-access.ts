import { createHmac, timingSafeEqual } from 'node:crypto'
import { downChannels, parseUpTopic, toDownTopic, topicPart } from '@isotherm/contract/mqtt'

/** A node that proved who it is. */
export interface NodeIdentity {
  readonly tenant: string
  readonly node: string
}

/** Password of a node: hex HMAC-SHA256 of its user name under the installation's secret (contract mqtt.ts). */
export const toNodePassword = (secret: string, username: string): string =>
  createHmac('sha256', secret).update(username).digest('hex')

function isEqual(given: Uint8Array, expected: string): boolean {
  const wanted = Buffer.from(expected)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** The node behind a connection, or undefined when user name, password and client id do not prove one. */
export function findNodeIdentity(
  secret: string,
  clientId: string,
  username: string | undefined,
  password: Uint8Array | undefined,
): NodeIdentity | undefined {
  const [tenant, node, ...rest] = (username ?? '').split(':')
  if (!tenant || !node || rest.length > 0 || username === undefined || password === undefined)
    return undefined
  if (!topicPart.safeParse(tenant).success || !topicPart.safeParse(node).success) return undefined
  if (clientId !== node) return undefined
  return isEqual(password, toNodePassword(secret, username)) ? { tenant, node } : undefined
}

/** Whether the node may publish on the topic: its own up channels and no other topic, which would be kept or delivered. */
export function mayPublish(identity: NodeIdentity, topic: string): boolean {
  const up = parseUpTopic(topic)
  return up !== undefined && up.tenant === identity.tenant && up.node === identity.node
}

/** Whether the node may subscribe to the filter: its own down channels, one by one or all at once. */
export const maySubscribe = ({ tenant, node }: NodeIdentity, filter: string): boolean =>
  filter === `hx/v1/${tenant}/${node}/down/#` ||
  filter === `hx/v1/${tenant}/${node}/down/+` ||
  downChannels.some((channel) => filter === toDownTopic(tenant, node, channel))
