import { sendVerificationCode } from '@isotherm/contract/endpoints/administration/user-access'
import { useMutation } from '@tanstack/react-query'
import { Button, Input, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import { useFormat } from '../../../shared/format/use-format.ts'

/** The code that proves a telephone number, with a button that sends it. */
export function CodeInput({ id, value, isFaulty, values, onValue }: ControlProps) {
  const { t } = useTranslation('users')
  const format = useFormat()
  const tel = typeof values.tel === 'string' ? values.tel.trim() : ''
  const sending = useMutation({ mutationFn: () => call(sendVerificationCode, { tel }) })
  const isTel = sendVerificationCode.input.safeParse({ tel }).success
  return (
    <>
      <Space.Compact block>
        <Input
          id={id}
          data-testid="field-verificationCode"
          value={typeof value === 'string' ? value : ''}
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-invalid={isFaulty}
          status={isFaulty ? 'error' : ''}
          onChange={({ target }) => onValue(target.value)}
        />
        <Button
          data-testid="code-send"
          disabled={!isTel}
          loading={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {t('code.send')}
        </Button>
      </Space.Compact>
      <small role="status">
        {sending.data && t('code.sent', { time: format.time(sending.data.expiresAt) })}
        {sending.error && toFailureText(sending.error)}
      </small>
    </>
  )
}
