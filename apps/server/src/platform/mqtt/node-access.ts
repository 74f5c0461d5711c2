import { createHmac, timingSafeEqual } from 'node:crypto'
import { topicPart } from '@isotherm/contract/mqtt'

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

const prefixOf = (identity: NodeIdentity, direction: 'up' | 'down'): string =>
  `hx/v1/${identity.tenant}/${identity.node}/${direction}/`

/** Whether the node may publish on the topic: only its own up channels. */
export const mayPublish = (identity: NodeIdentity, topic: string): boolean =>
  topic.startsWith(prefixOf(identity, 'up'))

/** Whether the node may subscribe to the filter: only its own down channels. */
export const maySubscribe = (identity: NodeIdentity, filter: string): boolean =>
  filter.startsWith(prefixOf(identity, 'down'))
