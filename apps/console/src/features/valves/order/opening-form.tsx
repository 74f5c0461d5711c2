import type { Device } from '@isotherm/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input, InputNumber, Slider } from 'antd'
import { type FormEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { HoldChoice } from '../../../shared/order/hold-choice.tsx'
import { noHold, toHoldUntil } from '../../../shared/order/hold-until.ts'
import { type PersonPriority, PriorityChoice } from '../../../shared/order/priority-choice.tsx'
import type { OpeningOrder } from '../commands/command-queries.ts'
import text from '../lists/text.module.css'
import { canControl } from '../rows/valve-row.ts'
import { findCommonLimits, planOpenings, toSendable } from './opening-plan.ts'
import styles from './order.module.css'
import { OrderObstacles } from './order-obstacles.tsx'
import { PlanTable } from './plan-table.tsx'
import { previewQuery } from './preview-query.ts'
import { useSettled } from './use-settled.ts'

interface OpeningFormProps {
  readonly devices: readonly Device[]
  readonly states: StateLookup
  readonly busy: boolean
  readonly onSend: (order: OpeningOrder) => void
}

/** Longest reason that the server accepts. */
const MAX_REASON = 200
const MARKS = { 0: '0', 25: '25', 50: '50', 75: '75', 100: '100' }
/** The preview is fetched when the target has not changed for this time, ms. */
const SETTLE_MS = 300
const noPreview = { refused: [], ends: [] }

/** The order form: target, hold, priority and reason, with a preview per valve. Nothing is sent before the user confirms. */
export function OpeningForm({ devices, states, busy, onSend }: OpeningFormProps) {
  const { t } = useTranslation('valves')
  const [targetPct, setTargetPct] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [priority, setPriority] = useState<PersonPriority>('manual')
  const [wish, setWish] = useState(noHold)
  const id = useId()
  const limits = useMemo(() => findCommonLimits(devices), [devices])
  const deviceIds = useMemo(() => devices.filter(canControl).map((device) => device.id), [devices])
  const settledPct = useSettled(targetPct, SETTLE_MS)
  const preview = useQuery({
    ...previewQuery({ deviceIds, openingPct: settledPct ?? 0, priority, holds: wish.choice !== 'none' }),
    enabled: settledPct !== null && deviceIds.length > 0,
  })
  const isPreviewed = preview.isSuccess && !preview.isFetching && settledPct === targetPct
  // Planning thousands of rows is deferred, so that typing and new readings stay fast.
  const shownStates = useDeferredValue(states)
  const plan = useMemo(
    () =>
      settledPct === null ? [] : planOpenings(devices, shownStates, settledPct, preview.data ?? noPreview),
    [devices, shownStates, settledPct, preview.data],
  )
  const sendable = useMemo(() => toSendable(plan), [plan])
  const isBlocked = (preview.data?.totals.length ?? 0) > 0
  const maySend =
    isPreviewed && sendable.length > 0 && !isBlocked && toHoldUntil(wish, readServerNow()) !== 'wrong'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const holdUntil = toHoldUntil(wish, readServerNow())
    if (!maySend || busy || holdUntil === 'wrong') return
    const targets = sendable.map(({ device, toPct }) => ({ deviceId: device.id, openingPct: toPct }))
    onSend({ targets, reason: reason.trim(), priority, holdUntil })
  }
  const sendText = () => {
    if (targetPct === null) return t('set.chooseTarget')
    if (!isPreviewed && !preview.isError) return t('set.previewing')
    return sendable.length === 0 ? t('set.nothing') : t('set.send', { count: sendable.length })
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
          ariaLabelForHandle={t('set.target')}
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
        <p className={text.hint}>{t('set.limits', limits)}</p>
      ) : (
        <Alert type="warning" showIcon title={t('set.noCommonLimits')} />
      )}
      <HoldChoice wish={wish} onChange={setWish} />
      <PriorityChoice priority={priority} emergencyMeans={t('set.emergencyMeans')} onChange={setPriority} />
      <label htmlFor={`${id}-reason`}>{t('set.reason')}</label>
      <Input
        id={`${id}-reason`}
        data-testid="reason-input"
        maxLength={MAX_REASON}
        placeholder={t('set.reasonHint')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {preview.data && <OrderObstacles preview={preview.data} />}
      {preview.isError && (
        <Alert
          type="error"
          showIcon
          title={toFailureText(preview.error)}
          action={<Button onClick={() => preview.refetch()}>{t('set.previewAgain')}</Button>}
        />
      )}
      <PlanTable devices={devices} states={shownStates} plan={plan} isPreviewed={isPreviewed} />
      <Button
        type="primary"
        htmlType="submit"
        block
        loading={busy}
        disabled={!maySend}
        data-testid="confirm-command"
      >
        {sendText()}
      </Button>
    </form>
  )
}
