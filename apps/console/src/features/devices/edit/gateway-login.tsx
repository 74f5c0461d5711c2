import type { Device } from '@isotherm/contract/devices'
import { type GatewayLogin, showGatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { upChannels } from '@isotherm/contract/mqtt'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Modal, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { ChangeLogin } from './change-login.tsx'
import styles from './edit.module.css'

/** Whether a device signs in to the broker itself. */
export const isGateway = ({ kind, concentratorId, use }: Device): boolean =>
  use === 'in-use' && (kind === 'concentrator' || concentratorId === undefined)

const Copyable = ({ text }: { readonly text: string }) => (
  <Typography.Text code copyable>
    {text}
  </Typography.Text>
)

function LoginFacts({ login }: { readonly login: GatewayLogin }) {
  const { t } = useTranslation('devices')
  const { clientId, username, password, upTopic, downTopic, port } = login
  const facts = [
    ...(port === undefined
      ? []
      : [
          [
            t('login.address'),
            <Copyable key="address" text={`mqtt://${location.hostname}:${port}`} />,
          ] as const,
        ]),
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
      <FactList facts={facts} className={styles.facts} />
      <p>{t('login.channels', { up: upChannels.join(', '), down: '#' })}</p>
    </div>
  )
}

interface GatewayLoginButtonProps {
  readonly device: Device
  /** Called after the password changed. */
  readonly onChanged: () => void
}

/** Shows the credentials of a gateway after a question: who saw them is recorded. Rotates and revokes them. They are forgotten when the dialog closes. */
export function GatewayLoginButton({ device, onChanged }: GatewayLoginButtonProps) {
  const { t } = useTranslation(['devices', 'common'])
  const [isOpen, setOpen] = useState(false)
  const showing = useMutation({ mutationFn: () => call(showGatewayLogin, { id: device.id }), gcTime: 0 })
  const [rotated, setRotated] = useState<GatewayLogin>()
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
          <>
            <p>{t('login.means')}</p>
            <Button
              type="primary"
              loading={showing.isPending}
              data-testid="login-show"
              onClick={() => showing.mutate()}
            >
              {t('login.show')}
            </Button>
          </>
        )}
        <ChangeLogin
          device={device}
          onRotated={setRotated}
          onChanged={() => {
            if (!rotated) showing.reset()
            onChanged()
          }}
        />
        {showing.error && <Alert type="error" showIcon title={toFailureText(showing.error)} />}
      </Modal>
    </>
  )
}
