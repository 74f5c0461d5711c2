import type { InputOf } from '@isotherm/contract/endpoint'
import { type Pump, setPumpHead } from '@isotherm/contract/endpoints/control/pumps'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { HoldChoice } from '../../../shared/order/hold-choice.tsx'
import { noHold, toHoldUntil } from '../../../shared/order/hold-until.ts'
import { type PersonPriority, PriorityChoice } from '../../../shared/order/priority-choice.tsx'
import field from '../fields/field.module.css'
import { NumberField } from '../fields/number-field.tsx'
import styles from './pump.module.css'
import { pumpQuery } from './pump-query.ts'

type HeadOrder = Omit<InputOf<typeof setPumpHead>, 'deviceId'>

/** Form for a head setpoint with hold and reason. The server checks limits and holds. */
export function HeadForm({ pump }: { readonly pump: Pump }) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const reasonId = useId()
  const { deviceId, targetKpa, headKpa: nowKpa, limits } = pump
  const [headKpa, setHead] = useState<number | null>(() =>
    Math.round(targetKpa ?? nowKpa ?? limits.minHeadKpa),
  )
  const [reason, setReason] = useState('')
  const [priority, setPriority] = useState<PersonPriority>('manual')
  const [wish, setWish] = useState(noHold)
  const order = useMutation({
    mutationFn: (given: HeadOrder) => call(setPumpHead, { deviceId, ...given }, { quiet: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: pumpQuery(deviceId).queryKey }),
  })
  /** Clears the last answer when the input changes. */
  const settle =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      order.reset()
      set(value)
    }
  const bounds = { min: limits.minHeadKpa, max: limits.maxHeadKpa }
  const isWrong = headKpa === null || headKpa < bounds.min || headKpa > bounds.max
  const isHoldWrong = toHoldUntil(wish, readServerNow()) === 'wrong'
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const holdUntil = toHoldUntil(wish, readServerNow())
        if (isWrong || holdUntil === 'wrong' || order.isPending) return
        order.mutate({
          headKpa,
          reason: reason.trim(),
          priority,
          ...(holdUntil !== undefined && { holdUntil }),
        })
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
        onValue={settle(setHead)}
      />
      <HoldChoice wish={wish} onChange={settle(setWish)} />
      <PriorityChoice
        priority={priority}
        emergencyMeans={t('pump.emergencyMeans')}
        onChange={settle(setPriority)}
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
          disabled={isWrong || isHoldWrong}
          loading={order.isPending}
          data-testid="pump-send"
        >
          {t('pump.send')}
        </Button>
      </div>
    </form>
  )
}
