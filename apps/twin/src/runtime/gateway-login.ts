import { createHmac } from 'node:crypto'
import { toMqttUsername } from '@isotherm/contract/mqtt'

/** Login of a gateway: the password is derived from the installation's secret and the user name. */
export interface GatewayLogin {
  readonly username: string
  readonly password: string
}

export function toGatewayLogin(secret: string, tenant: string, gateway: string): GatewayLogin {
  const username = toMqttUsername(tenant, gateway)
  return { username, password: createHmac('sha256', secret).update(username).digest('hex') }
}
