import type { Device } from '@isotherm/contract/devices'
import { type GatewayLogin, showGatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { ChangeLogin } from './change-login.tsx'
import { LoginFacts } from './login-facts.tsx'
import { LoginState } from './login-state.tsx'

/** Whether a device signs in to the broker itself. */
export const isGateway = ({ kind, concentratorId, use }: Device): boolean =>
  use === 'in-use' && (kind === 'concentrator' || concentratorId === undefined)

interface GatewayLoginButtonProps {
  readonly device: Device
  /** Called after the password changed. */
  readonly onChanged: () => void
}

/**
 * Shows the credentials of a gateway once, says afterwards who saw them, and rotates and revokes the password. What was shown is
 * forgotten when the dialog closes.
 */
export function GatewayLoginButton({ device, onChanged }: GatewayLoginButtonProps) {
  const { t } = useTranslation(['devices', 'common'])
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [rotated, setRotated] = useState<GatewayLogin>()
  const queryKey = ['devices', 'gateway-login', device.id]
  const refresh = () => client.invalidateQueries({ queryKey })
  const showing = useMutation({
    mutationFn: () => call(showGatewayLogin, { id: device.id }),
    gcTime: 0,
    // Also after a refusal: somebody else has seen it meanwhile.
    onSettled: refresh,
  })
  const login = rotated ?? showing.data
  const close = () => {
    setOpen(false)
    setRotated(undefined)
    showing.reset()
  }
  return (
    <>
      <Button data-testid="device-login" onClick={() => setOpen(true)}>
        {t('login.open')}
      </Button>
      <Modal
        open={isOpen}
        title={t('login.title')}
        onCancel={close}
        footer={<Button onClick={close}>{t(login ? 'bulk.close' : 'form.cancel', { ns: 'common' })}</Button>}
      >
        <p>
          <strong>{`${toWholeAddress(device.nestaddr)} / ${device.name} (${device.imei})`}</strong>
        </p>
        {login ? (
          <>
            {rotated && <Alert type="success" showIcon title={t('login.rotated')} />}
            <LoginFacts login={login} />
          </>
        ) : (
          isOpen && (
            <LoginState
              deviceId={device.id}
              queryKey={queryKey}
              isShowing={showing.isPending}
              onShow={() => showing.mutate()}
            />
          )
        )}
        <ChangeLogin
          device={device}
          onRotated={setRotated}
          onChanged={() => {
            if (!rotated) showing.reset()
            void refresh()
            onChanged()
          }}
        />
        {showing.error && <Alert type="error" showIcon title={toFailureText(showing.error)} />}
      </Modal>
    </>
  )
}
