import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { HoldChoice } from '../../../shared/order/hold-choice.tsx'
import { noHold, toHoldUntil } from '../../../shared/order/hold-until.ts'
import { type PersonPriority, PriorityChoice } from '../../../shared/order/priority-choice.tsx'
import field from '../fields/field.module.css'
import { NumberField } from '../fields/number-field.tsx'
import styles from './station.module.css'

/** What a user orders: a setpoint, with reason, priority and hold. */
export interface SetpointOrder {
  readonly value: number
  readonly more: { readonly reason: string; readonly priority: PersonPriority; readonly holdUntil?: number }
}

interface SetpointFormProps {
  readonly initial: number
  readonly bounds: { readonly min: number; readonly max: number }
  readonly unit: string
  readonly isWhole: boolean
  readonly label: string
  readonly hint: string
  readonly testId: string
  /** Cache entry of the station, read again after an order. */
  readonly queryKey: readonly unknown[]
  readonly send: (order: SetpointOrder) => Promise<unknown>
}

/** Form for a setpoint of a station with hold and reason. The server checks limits and holds. */
export function SetpointForm(props: SetpointFormProps) {
  const { bounds, unit, isWhole, label, hint, testId, queryKey } = props
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const reasonId = useId()
  const [value, setValue] = useState<number | null>(props.initial)
  const [reason, setReason] = useState('')
  const [priority, setPriority] = useState<PersonPriority>('manual')
  const [wish, setWish] = useState(noHold)
  const order = useMutation({
    mutationFn: props.send,
    onSuccess: () => client.invalidateQueries({ queryKey }),
  })
  /** Clears the last answer when the input changes. */
  const settle =
    <Value,>(set: (value: Value) => void) =>
    (given: Value): void => {
      order.reset()
      set(given)
    }
  const isWrong = value === null || value < bounds.min || value > bounds.max
  const isHoldWrong = toHoldUntil(wish, readServerNow()) === 'wrong'
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const holdUntil = toHoldUntil(wish, readServerNow())
        if (isWrong || holdUntil === 'wrong' || order.isPending) return
        order.mutate({
          value,
          more: { reason: reason.trim(), priority, ...(holdUntil !== undefined && { holdUntil }) },
        })
      }}
    >
      <NumberField
        label={label}
        unit={unit}
        hint={hint}
        bounds={bounds}
        isWhole={isWhole}
        isNeeded
        value={value}
        onValue={settle(setValue)}
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
          data-testid={testId}
        >
          {t('pump.send')}
        </Button>
      </div>
    </form>
  )
}
