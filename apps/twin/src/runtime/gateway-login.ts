import { createHmac } from 'node:crypto'
import { toMqttUsername } from '@isotherm/contract/mqtt'

/** By which a gateway signs in to the broker: the password follows from the installation's secret and its name. */
export interface GatewayLogin {
  readonly username: string
  readonly password: string
}

export function toGatewayLogin(secret: string, tenant: string, gateway: string): GatewayLogin {
  const username = toMqttUsername(tenant, gateway)
  return { username, password: createHmac('sha256', secret).update(username).digest('hex') }
}
