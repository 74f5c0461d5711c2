import { createHmac, timingSafeEqual } from 'node:crypto'
import { toMqttUsername } from '@isotherm/contract/mqtt'

const USERNAME = /^([A-Za-z0-9_.-]{1,64}):([A-Za-z0-9_.-]{1,64})$/

/** The password of a device: HMAC-SHA256 of its user name under the installation's secret, lower-case hex. */
export const toDevicePassword = (secret: string, username: string): string =>
  createHmac('sha256', secret).update(username).digest('hex')

/** Whether a client is the node it says: its id is the node of its user name and its password is the node's. */
export function isDevice(secret: string, clientId: string, username: string, password: string): boolean {
  const [, tenant, node] = USERNAME.exec(username) ?? []
  if (!tenant || !node || clientId !== node || toMqttUsername(tenant, node) !== username) return false
  const expected = Buffer.from(toDevicePassword(secret, username))
  const given = Buffer.from(password)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

const prefixOf = (username: string, direction: 'up' | 'down'): string =>
  `hx/v1/${username.replace(':', '/')}/${direction}/`

/** A node publishes below its own up topics only. */
export const mayPublish = (username: string, topic: string): boolean =>
  USERNAME.test(username) && topic.startsWith(prefixOf(username, 'up'))

/** A node hears its own down topics only. */
export const maySubscribe = (username: string, filter: string): boolean =>
  USERNAME.test(username) && filter.startsWith(prefixOf(username, 'down'))
