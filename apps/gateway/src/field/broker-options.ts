import type { IClientOptions } from 'mqtt'

/** Broker of a line. */
export interface LineBroker {
  readonly id: string
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/**
 * Connection options of a line to its broker. `clientId`: prefix of the client ids of this gateway, so that a broker
 * does not disconnect one of two gateways. Every connection subscribes again, and reconnects after a random pause.
 */
export const toBrokerOptions = (
  { id, username, password }: LineBroker,
  clientId: string,
): IClientOptions => ({
  protocolVersion: 4,
  clientId: `${clientId}-${id}`,
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  keepalive: 60,
  reconnectPeriod: 500 + Math.round(1_500 * Math.random()),
  connectTimeout: 10_000,
  resubscribe: false,
})
