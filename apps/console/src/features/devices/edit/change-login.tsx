import type { Device } from '@isotherm/contract/devices'
import {
  type GatewayLogin,
  revokeGatewayLogin,
  rotateGatewayLogin,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import styles from './edit.module.css'

interface ChangeLoginProps {
  readonly device: Device
  readonly onRotated: (login: GatewayLogin) => void
  /** Called after every change of the password. */
  readonly onChanged: () => void
}

/** Gives a gateway a new password or revokes it, each after a question with what it means. */
export function ChangeLogin({ device, onRotated, onChanged }: ChangeLoginProps) {
  const { t } = useTranslation(['devices', 'common'])
  const { id, version } = device
  const rotating = useMutation({
    mutationFn: () => call(rotateGatewayLogin, { id, version }),
    gcTime: 0,
    onSuccess(login) {
      onRotated(login)
      onChanged()
    },
  })
  const revoking = useMutation({
    mutationFn: () => call(revokeGatewayLogin, { id, version }),
    onSuccess() {
      showNotice('success', t('login.revoked', { name: device.name }))
      onChanged()
    },
  })
  const failure = rotating.error ?? revoking.error
  return (
    <>
      <div className={styles.line}>
        <Popconfirm
          title={t('login.rotateQuestion')}
          description={t('login.rotateMeans')}
          okText={t('login.rotate')}
          cancelText={t('form.cancel', { ns: 'common' })}
          onConfirm={() => rotating.mutate()}
        >
          <Button loading={rotating.isPending} data-testid="login-rotate">
            {t('login.rotate')}
          </Button>
        </Popconfirm>
        <Popconfirm
          title={t('login.revokeQuestion')}
          description={t('login.revokeMeans')}
          okText={t('login.revoke')}
          okButtonProps={{ danger: true }}
          cancelText={t('form.cancel', { ns: 'common' })}
          onConfirm={() => revoking.mutate()}
        >
          <Button danger loading={revoking.isPending} data-testid="login-revoke">
            {t('login.revoke')}
          </Button>
        </Popconfirm>
      </div>
      {failure && <Alert type="error" showIcon title={toFailureText(failure)} />}
    </>
  )
}
