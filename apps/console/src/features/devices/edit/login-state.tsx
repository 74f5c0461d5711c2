import { getGatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { DeviceToken } from '../logins/device-token.tsx'
import { useShownText } from '../logins/use-shown-text.ts'

interface LoginStateProps {
  readonly deviceId: number
  readonly queryKey: readonly unknown[]
  readonly isShowing: boolean
  readonly onShow: () => void
}

/** Whether the password of a gateway can be shown, or who saw it, and its one-time token. */
export function LoginState({ deviceId, queryKey, isShowing, onShow }: LoginStateProps) {
  const { t } = useTranslation('devices')
  const toShownText = useShownText()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getGatewayLogin, { id: deviceId }, { signal }),
    staleTime: 0,
  })
  return (
    <Answer query={query}>
      {({ isRevoked, shown, token, takesTokens }) =>
        isRevoked ? (
          <Alert type="warning" showIcon title={t('login.isRevoked')} />
        ) : (
          <>
            {shown ? (
              <Alert type="info" showIcon title={toShownText(shown)} data-testid="login-shown" />
            ) : (
              <>
                <p>{t('login.means')}</p>
                <Button type="primary" loading={isShowing} data-testid="login-show" onClick={onShow}>
                  {t('login.show')}
                </Button>
              </>
            )}
            {takesTokens && (
              <DeviceToken
                deviceId={deviceId}
                token={token}
                isShown={shown !== undefined}
                onChanged={() => void query.refetch()}
              />
            )}
          </>
        )
      }
    </Answer>
  )
}
