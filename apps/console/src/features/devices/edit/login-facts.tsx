import type { GatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { upChannels } from '@isotherm/contract/mqtt'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { toConnectionFacts } from '../logins/connection-facts.tsx'
import { Copyable } from '../logins/copyable.tsx'
import styles from './edit.module.css'

/** The credentials of a gateway, to be copied: they are not shown again. */
export function LoginFacts({ login }: { readonly login: GatewayLogin }) {
  const { t } = useTranslation('devices')
  const { password, upTopic, downTopic } = login
  const facts = [
    ...toConnectionFacts(login, t),
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
