import { withdrawConnectionToken } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'

interface WithdrawUnregisteredProps {
  /** Undefined while it is not complete. */
  readonly target: { readonly serial: string; readonly node: string } | undefined
}

/** Makes the open token of an unregistered serial void: it has no page that shows its token. */
export function WithdrawUnregistered({ target }: WithdrawUnregisteredProps) {
  const { t } = useTranslation('devices')
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => call(withdrawConnectionToken, { ...target }),
  })
  return (
    <>
      <Button
        size="small"
        type="link"
        disabled={target === undefined}
        loading={isPending}
        data-testid="token-withdraw"
        onClick={() => mutate()}
      >
        {t('login.token.withdrawSerial')}
      </Button>
      {data && (
        <Alert
          type={data.wasOpen ? 'success' : 'info'}
          showIcon
          title={t(data.wasOpen ? 'login.token.withdrawnNow' : 'login.token.noneOpen')}
        />
      )}
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
    </>
  )
}
