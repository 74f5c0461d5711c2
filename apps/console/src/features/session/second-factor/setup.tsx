import {
  confirmSecondFactor,
  startSecondFactor,
} from '@isotherm/contract/endpoints/administration/second-factor'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Input, QRCode, Typography } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { listTokenHashes } from '../../../shared/session/token-hashes.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from './second-factor.module.css'

/** Account and password, as calls take them. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

interface SetupProps {
  readonly credentials: Credentials
  /** Called when the user has stored the recovery codes. */
  readonly onDone: () => void
  readonly onCancel: () => void
}

const QR_PX = 180

/** Sets the second factor up: a QR code for the authenticator app, its first code, and the recovery codes. */
export default function Setup({ credentials, onDone, onCancel }: SetupProps): ReactNode {
  const { t } = useTranslation('session')
  const id = useId()
  const [code, setCode] = useState('')
  const start = useQuery({
    queryKey: ['second-factor', 'start', credentials.username],
    queryFn: ({ signal }) => call(startSecondFactor, credentials, { signal, quiet: true }),
    // Every start makes another key.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const confirm = useMutation({
    mutationFn: () => {
      const tokenHashes = listTokenHashes(localStorage)
      return call(confirmSecondFactor, { ...credentials, code: code.trim(), tokenHashes }, { quiet: true })
    },
  })
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recoveryCodes} onDone={onDone} />
  return (
    <Answer query={start}>
      {({ secret, url }) => (
        <ActionForm
          submit={t('factor.turnOn')}
          isReady={code.trim().length === 6}
          busy={confirm.isPending}
          error={confirm.error}
          testId="factor-confirm"
          onSubmit={() => confirm.mutate()}
          onCancel={onCancel}
        >
          <p>{t('factor.scan')}</p>
          {/* Dark on white in dark colours too: not every app reads an inverted code. */}
          <QRCode className={styles.code ?? ''} value={url} size={QR_PX} color="#000" bgColor="#fff" />
          <p>
            {t('factor.orType')}
            <br />
            <Typography.Text code copyable data-testid="factor-secret">
              {secret}
            </Typography.Text>
          </p>
          <label htmlFor={id}>{t('factor.code')}</label>
          <Input
            id={id}
            value={code}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            data-testid="factor-code"
            onChange={({ target }) => setCode(target.value)}
          />
        </ActionForm>
      )}
    </Answer>
  )
}

/** Shows the recovery codes; the server never sends them again. */
function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const { t } = useTranslation('session')
  return (
    <>
      <Alert type="warning" showIcon title={t('factor.store')} />
      <Typography.Paragraph
        className={styles.codes ?? ''}
        copyable={{ text: codes.join('\n') }}
        data-testid="recovery-codes"
      >
        {codes.map((code) => (
          <code key={code}>{code}</code>
        ))}
      </Typography.Paragraph>
      <Button type="primary" block data-testid="factor-stored" onClick={onDone}>
        {t('factor.stored')}
      </Button>
    </>
  )
}
