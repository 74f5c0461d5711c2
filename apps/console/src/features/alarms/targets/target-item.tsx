import type { AlarmTarget } from '@isotherm/contract/alarms/alarms'
import { deleteAlarmTargets, testAlarmTarget } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import items from '../parts/items.module.css'
import { Delivery, TestResult } from './delivery.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { toShownAddress } from './target-draft.ts'

interface TargetItemProps {
  readonly target: AlarmTarget
  readonly onEdit: () => void
}

/** One receiver: its filters, delivery state and actions. */
export function TargetItem({ target, onEdit }: TargetItemProps) {
  const { t } = useTranslation('alarms')
  const remove = useAlarmMutation(
    ({ id, version }: AlarmTarget) => call(deleteAlarmTargets, { items: [{ id, version }] }),
    { onDone: () => showNotice('success', t('targets.removed')) },
  )
  const test = useAlarmMutation(({ id }: AlarmTarget) => call(testAlarmTarget, { id }))
  const [isLogOpen, setLogOpen] = useState(false)
  const { name, nestaddr, abilities } = target
  return (
    <li className={items.item} data-testid={`target-${target.id}`}>
      <div className={items.itemMain}>
        <strong>{name}</strong>
        <code className={items.url}>
          {t(`channel.${target.channel}`)} · {toShownAddress(target)}
        </code>
        <small className={styles.meta}>
          {toWholeAddress(nestaddr)} · <TargetFilters target={target} />
        </small>
      </div>
      <div className={items.itemSide}>
        <Delivery target={target} />
        <div role="status">{test.data && <TestResult result={test.data} />}</div>
      </div>
      <div className={styles.buttons}>
        <Button size="small" data-testid="delivery-log-open" onClick={() => setLogOpen(true)}>
          {t('deliveries.open')}
        </Button>
        {abilities.includes('edit') && (
          <>
            <Button
              size="small"
              loading={test.isPending}
              onClick={() => test.mutate(target)}
              data-testid="test-target"
            >
              {t('targets.test')}
            </Button>
            <Button size="small" onClick={onEdit}>
              {t('targets.edit')}
            </Button>
          </>
        )}
        {abilities.includes('remove') && (
          <Popconfirm
            title={t('targets.removeSure')}
            okText={t('targets.remove')}
            cancelText={t('handle.cancel')}
            onConfirm={() => remove.mutate(target)}
          >
            <Button size="small" disabled={remove.isPending}>
              {t('targets.remove')}
            </Button>
          </Popconfirm>
        )}
      </div>
      <DeliveryLog target={isLogOpen ? target : undefined} onClose={() => setLogOpen(false)} />
    </li>
  )
}

/** A weekday of a duty, which the contract limits to 1 to 7. */
const toDay = (day: number) => ([1, 2, 3, 4, 5, 6, 7] as const)[day - 1] ?? 1

/** The filters and times of a receiver as text. */
function TargetFilters({
  target: { severities, kinds, afterMin, duty, report },
}: {
  readonly target: AlarmTarget
}) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const names = [
    ...severities.map((severity) => tCommon(`alarm.severity.${severity}`)),
    ...kinds.map((kind) => t(`kind.${kind}`)),
  ]
  const filters = report?.isOnly
    ? t('report.noAlarms')
    : names.length === 0
      ? t('targets.all')
      : names.join(' / ')
  return [
    filters,
    ...(afterMin > 0 ? [t('target.after', { count: afterMin })] : []),
    ...(duty
      ? [
          t('duty.text', {
            from: duty.hourFrom,
            to: duty.hourTo,
            days: duty.weekdays.map((day) => t(`duty.day.d${toDay(day)}`)).join(' '),
          }),
        ]
      : []),
    ...(report ? [t(report.every === 'day' ? 'report.daily' : 'report.weekly', { hour: report.hour })] : []),
  ].join(' · ')
}
