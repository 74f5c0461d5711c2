import { type Pump, setPumpHead } from '@isotherm/contract/endpoints/pumps'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import field from '../field.module.css'
import { NumberField } from '../start/number-field.tsx'
import styles from './pump.module.css'
import { pumpQuery } from './pump-query.ts'

/** A head for the pump and why; the server judges it by the limits and holds there are then. */
export function HeadForm({ pump }: { readonly pump: Pump }) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const reasonId = useId()
  const { deviceId, targetKpa, headKpa: nowKpa, limits } = pump
  const [headKpa, setHead] = useState<number | null>(() =>
    Math.round(targetKpa ?? nowKpa ?? limits.minHeadKpa),
  )
  const [reason, setReason] = useState('')
  const order = useMutation({
    mutationFn: (head: number) => call(setPumpHead, { deviceId, headKpa: head, reason }, { quiet: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: pumpQuery(deviceId).queryKey }),
  })
  const bounds = { min: limits.minHeadKpa, max: limits.maxHeadKpa }
  const isWrong = headKpa === null || headKpa < bounds.min || headKpa > bounds.max
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) order.mutate(headKpa)
      }}
    >
      <NumberField
        label={t('pump.set')}
        unit="kPa"
        hint={t('pump.hint')}
        bounds={bounds}
        isWhole
        isNeeded
        value={headKpa}
        onValue={(value) => {
          order.reset()
          setHead(value)
        }}
      />
      <div className={field.field}>
        <label htmlFor={reasonId}>{t('pump.reason')}</label>
        <Input
          id={reasonId}
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      {order.error && <Alert type="error" showIcon title={toFailureText(order.error)} />}
      {order.isSuccess && <Alert type="success" showIcon title={t('pump.sent')} />}
      <div className={styles.end}>
        <Button
          type="primary"
          htmlType="submit"
          disabled={isWrong}
          loading={order.isPending}
          data-testid="pump-send"
        >
          {t('pump.send')}
        </Button>
      </div>
    </form>
  )
}
