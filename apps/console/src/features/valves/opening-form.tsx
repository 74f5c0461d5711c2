import type { Device, DeviceState } from '@isotherm/contract/devices'
import { Alert, Button, Input, InputNumber, Slider } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findCommonLimits, planOpenings, toSendable } from './opening-plan.ts'
import styles from './order.module.css'
import { PlanTable } from './plan-table.tsx'
import type { OpeningOrder } from './queries.ts'

interface OpeningFormProps {
  readonly devices: readonly Device[]
  readonly states: ReadonlyMap<number, DeviceState>
  readonly busy: boolean
  readonly onSend: (order: OpeningOrder) => void
}

/** Longest reason the server keeps. */
const MAX_REASON = 200
const MARKS = { 0: '0', 25: '25', 50: '50', 75: '75', 100: '100' }

/** Target and reason, with what they would mean for each valve; nothing is sent before it is confirmed. */
export function OpeningForm({ devices, states, busy, onSend }: OpeningFormProps) {
  const { t } = useTranslation('valves')
  const [targetPct, setTargetPct] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const id = useId()
  const limits = findCommonLimits(devices)
  const plan = targetPct === null ? [] : planOpenings(devices, states, targetPct)
  const sendable = toSendable(plan)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (sendable.length === 0 || busy) return
    const targets = sendable.map(({ device, toPct }) => ({ deviceId: device.id, openingPct: toPct }))
    onSend({ targets, reason: reason.trim() })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={`${id}-target`}>{t('set.target')}</label>
      <div className={styles.target}>
        <Slider
          min={0}
          max={100}
          marks={MARKS}
          value={targetPct ?? 0}
          onChange={setTargetPct}
          aria-label={t('set.target')}
        />
        <InputNumber
          id={`${id}-target`}
          data-testid="opening-input"
          min={0}
          max={100}
          precision={0}
          suffix="%"
          value={targetPct}
          onChange={setTargetPct}
        />
      </div>
      {limits ? (
        <p className={styles.hint}>{t('set.limits', limits)}</p>
      ) : (
        <Alert type="warning" showIcon title={t('set.noCommonLimits')} />
      )}
      <label htmlFor={`${id}-reason`}>{t('set.reason')}</label>
      <Input
        id={`${id}-reason`}
        data-testid="reason-input"
        maxLength={MAX_REASON}
        placeholder={t('set.reasonHint')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <PlanTable devices={devices} states={states} plan={plan} />
      <Button
        type="primary"
        htmlType="submit"
        block
        loading={busy}
        disabled={sendable.length === 0}
        data-testid="confirm-command"
      >
        {targetPct === null
          ? t('set.chooseTarget')
          : sendable.length === 0
            ? t('set.nothing')
            : t('set.send', { count: sendable.length })}
      </Button>
    </form>
  )
}
