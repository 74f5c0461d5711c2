import type { GatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { upChannels } from '@isotherm/contract/mqtt'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { Copyable } from '../logins/copyable.tsx'
import styles from './edit.module.css'

/** Addresses of the embedded broker, the one with TLS first. */
function toAddresses({ port, tlsPort }: Pick<GatewayLogin, 'port' | 'tlsPort'>): readonly string[] {
  const { hostname } = location
  return [
    ...(tlsPort === undefined ? [] : [`mqtts://${hostname}:${tlsPort}`]),
    ...(port === undefined ? [] : [`mqtt://${hostname}:${port}`]),
  ]
}

/** The credentials of a gateway, to be copied: they are not shown again. */
export function LoginFacts({ login }: { readonly login: GatewayLogin }) {
  const { t } = useTranslation('devices')
  const { clientId, username, password, upTopic, downTopic, port, tlsPort } = login
  const facts = [
    ...toAddresses({ port, tlsPort }).map(
      (address) => [t('login.address'), <Copyable key={address} text={address} />] as const,
    ),
    // The embedded broker accepts no other version.
    [t('login.protocol'), 'MQTT 3.1.1'] as const,
    [t('login.clientId'), <Copyable key="client" text={clientId} />],
    [t('login.username'), <Copyable key="user" text={username} />],
    [t('login.password'), <Copyable key="password" text={password} />],
    [t('login.up'), <Copyable key="up" text={upTopic} />],
    [t('login.down'), <Copyable key="down" text={downTopic} />],
  ] as const
  return (
    <div data-testid="gateway-login">
      <Alert type="warning" showIcon title={t('login.once')} />
      <FactList facts={facts} className={styles.facts} />
      <p>{t('login.channels', { up: upChannels.join(', '), down: '#' })}</p>
    </div>
  )
}
