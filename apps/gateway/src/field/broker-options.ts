import type { IClientOptions } from 'mqtt'

/** Broker of a line. */
export interface LineBroker {
  readonly id: string
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/**
 * Connection of a line to its broker. `clientId`: start of the client ids of this gateway, so that two gateways at one broker do not throw
 * each other out. Every connection subscribes anew, and gateways do not connect again all at once.
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
