import { resetSecondFactor } from '@isotherm/contract/endpoints/administration/second-factor'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { forAccount } from '../for-account.ts'
import styles from './user-drawer.module.css'

interface ResetFactorProps {
  readonly user: Pick<User, 'id' | 'version' | 'account'>
  readonly onChanged: () => void
}

/** Turns off the second factor of a user who lost the phone. */
export function ResetFactor({ user, onChanged }: ResetFactorProps) {
  const { t } = useTranslation('users')
  const { id: uid, version, account } = user
  const resetting = useMutation({
    mutationFn: () => forAccount(account, call(resetSecondFactor, { uid, version }, { quiet: true })),
    onSuccess() {
      showNotice('success', t('success.done', { ns: 'common', title: `${account} ${t('factor.reset')}` }))
      onChanged()
    },
  })
  return (
    <div className={`${styles.part} ${styles.apart}`}>
      <Popconfirm
        title={t('factor.question', { account })}
        description={t('factor.touches')}
        okText={t('factor.reset')}
        onConfirm={() => resetting.mutate()}
      >
        <Button className={styles.single ?? ''} loading={resetting.isPending} data-testid="factor-reset">
          {t('factor.reset')}
        </Button>
      </Popconfirm>
      {resetting.error && <Alert type="error" showIcon title={toFailureText(resetting.error)} />}
    </div>
  )
}
