import type { Device } from '@isotherm/contract/devices'
import { previewMqCtlCmd, publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Input, InputNumber, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { Field } from '../../../shared/form/field.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import styles from './debug.module.css'

const LONGEST_REASON = 200

interface SetOpeningProps {
  readonly device: Device
  readonly onSent: () => void
}

/** Sets the opening of a valve: a dry run first, then a question with the whole address. */
export function SetOpening({ device, onSent }: SetOpeningProps) {
  const { t } = useTranslation(['devices', 'common'])
  const id = useId()
  const [openingPct, setOpeningPct] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const targets = [{ deviceId: device.id, openingPct: openingPct ?? 0 }]
  const preview = useMutation({ mutationFn: () => call(previewMqCtlCmd, { targets }) })
  const sending = useMutation({
    mutationFn: () => call(publishMqCtlCmd, { targets, reason: reason.trim() }),
    onSuccess() {
      showNotice('success', t('debug.sent'))
      preview.reset()
      onSent()
    },
  })
  const refused = preview.data?.refused[0]
  const isBlocked = refused !== undefined || (preview.data?.totals.length ?? 0) > 0
  const place = `${toWholeAddress(device.nestaddr)} / ${device.name} (${device.imei})`
  return (
    <form
      className={styles.set}
      data-testid="set-opening"
      onSubmit={(event) => {
        event.preventDefault()
        if (openingPct !== null) preview.mutate()
      }}
    >
      <Field label={t('debug.opening')} htmlFor={`${id}-opening`}>
        <InputNumber
          id={`${id}-opening`}
          data-testid="debug-opening"
          min={0}
          max={100}
          precision={0}
          suffix="%"
          value={openingPct}
          onChange={setOpeningPct}
        />
      </Field>
      <Field label={t('debug.reason')} htmlFor={`${id}-reason`}>
        <Input
          id={`${id}-reason`}
          data-testid="debug-reason"
          maxLength={LONGEST_REASON}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <Button
        htmlType="submit"
        disabled={openingPct === null}
        loading={preview.isPending}
        data-testid="debug-set"
      >
        {t('debug.set')}
      </Button>
      {preview.error && <Alert type="error" showIcon title={toFailureText(preview.error)} />}
      <Modal
        open={preview.data !== undefined}
        title={t('debug.setQuestion', { opening: openingPct ?? 0 })}
        okText={t('debug.send')}
        okButtonProps={{ disabled: isBlocked, loading: sending.isPending }}
        cancelText={t('form.cancel', { ns: 'common' })}
        onOk={() => sending.mutate()}
        onCancel={() => {
          preview.reset()
          sending.reset()
        }}
      >
        <p data-testid="debug-place">
          <strong>{place}</strong>
        </p>
        {refused && <Alert type="error" showIcon title={t(`debug.verdict.${refused.reason}`)} />}
        {(preview.data?.totals.length ?? 0) > 0 && <Alert type="error" showIcon title={t('debug.total')} />}
        {(preview.data?.ends.length ?? 0) > 0 && (
          <Alert type="warning" showIcon title={t('debug.endsHold')} />
        )}
        {sending.error && <Alert type="error" showIcon title={toFailureText(sending.error)} />}
      </Modal>
    </form>
  )
}
