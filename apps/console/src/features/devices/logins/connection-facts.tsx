import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { toBrokerAddresses } from '../../../shared/installation/broker-addresses.ts'
import { Copyable } from './copyable.tsx'

interface Connection {
  readonly port?: number | undefined
  readonly tlsPort?: number | undefined
  readonly clientId: string
  readonly username: string
}

/** Where and as whom a device connects to the broker, to be copied. */
export const toConnectionFacts = (
  { port, tlsPort, clientId, username }: Connection,
  t: TFunction<'devices'>,
): readonly (readonly [string, ReactNode])[] => [
  ...toBrokerAddresses({ port, tlsPort }).map(
    (address) => [t('login.address'), <Copyable key={address} text={address} />] as const,
  ),
  // The embedded broker accepts no other version.
  [t('login.protocol'), 'MQTT 3.1.1'],
  [t('login.clientId'), <Copyable key="client" text={clientId} />],
  [t('login.username'), <Copyable key="user" text={username} />],
]
