import { createHmac } from 'node:crypto'
import { toMqttUsername, toPasswordText } from '@isotherm/contract/mqtt'

/** Login of a gateway: the password is derived from the installation's secret and the user name. */
export interface GatewayLogin {
  readonly clientId: string
  readonly username: string
  readonly password: string
}

export function toGatewayLogin(secret: string, tenant: string, gateway: string): GatewayLogin {
  const username = toMqttUsername(tenant, gateway)
  const text = toPasswordText({ tenant, gateway })
  return { clientId: username, username, password: createHmac('sha256', secret).update(text).digest('hex') }
}
