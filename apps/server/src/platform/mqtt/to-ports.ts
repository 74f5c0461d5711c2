import type { BrokerPort } from './broker-port.ts'

/** The ports for gateways that the embedded broker has. */
export const toPorts = ({ port, tlsPort }: Pick<BrokerPort, 'port' | 'tlsPort'>) => ({
  ...(port === undefined ? {} : { port }),
  ...(tlsPort === undefined ? {} : { tlsPort }),
})
