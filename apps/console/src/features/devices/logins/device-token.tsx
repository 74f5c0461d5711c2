import {
  type ConnectionTokenState,
  withdrawConnectionToken,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { MakeToken } from './make-token.tsx'
import styles from './token.module.css'

interface DeviceTokenProps {
  readonly deviceId: number
  readonly token: ConnectionTokenState | undefined
  /** Somebody has seen the present password, so a token needs a new one. */
  readonly isShown: boolean
  readonly onChanged: () => void
}

/** The one-time token of a gateway: the state of the newest one, and a button for another. */
export function DeviceToken({ deviceId, token, isShown, onChanged }: DeviceTokenProps) {
  const { t } = useTranslation('devices')
  const withdrawing = useMutation({
    mutationFn: () => call(withdrawConnectionToken, { id: deviceId }),
    onSuccess: onChanged,
  })
  return (
    <section className={styles.section} data-testid="device-token">
      <h3>{t('login.token.title')}</h3>
      <p>{t('login.token.means')}</p>
      {token && <TokenState token={token} />}
      <MakeToken target={{ id: deviceId }} renews={isShown} onMade={onChanged} />
      {token && token.spentAt === undefined && token.withdrawnAt === undefined && (
        <Button
          size="small"
          type="link"
          loading={withdrawing.isPending}
          data-testid="token-withdraw"
          onClick={() => withdrawing.mutate()}
        >
          {t('login.token.withdraw')}
        </Button>
      )}
      {withdrawing.error && <Alert type="error" showIcon title={toFailureText(withdrawing.error)} />}
    </section>
  )
}

function TokenState({ token }: { readonly token: ConnectionTokenState }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const now = useNow(60)
  const { by, madeAt, expiresAt, usedAt, usedFrom = '', spentAt, withdrawnAt } = token
  const isOpen = spentAt === undefined && withdrawnAt === undefined
  return (
    <ul data-testid="token-state">
      <li>{t('login.token.made', { by, at: format.instant(madeAt), until: format.instant(expiresAt) })}</li>
      {usedAt !== undefined && (
        <li>{t('login.token.used', { from: usedFrom, at: format.instant(usedAt) })}</li>
      )}
      {spentAt !== undefined && <li>{t('login.token.spent', { at: format.instant(spentAt) })}</li>}
      {withdrawnAt !== undefined && (
        <li>{t('login.token.withdrawn', { at: format.instant(withdrawnAt) })}</li>
      )}
      {isOpen && expiresAt <= now && <li>{t('login.token.expired')}</li>}
    </ul>
  )
}
