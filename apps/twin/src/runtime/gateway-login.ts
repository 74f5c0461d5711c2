import { createHmac } from 'node:crypto'
import { toMqttUsername } from '@isotherm/contract/mqtt'

/** By which a node signs in to the broker: the password follows from the installation's secret and its name. */
export interface NodeLogin {
  readonly username: string
  readonly password: string
}

export function toNodeLogin(secret: string, tenant: string, node: string): NodeLogin {
  const username = toMqttUsername(tenant, node)
  return { username, password: createHmac('sha256', secret).update(username).digest('hex') }
}
