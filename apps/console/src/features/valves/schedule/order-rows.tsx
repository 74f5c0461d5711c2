import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { WeeklyOrder } from '@isotherm/contract/endpoints/control/group-schedules'
import { Button, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { STEP_MINUTES } from '../../../shared/week/clock-text.ts'
import { TimeSelect } from '../../../shared/week/time-select.tsx'
import { useDayNames } from '../../../shared/week/use-day-names.ts'
import styles from './schedule.module.css'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const DAY_MINUTES = 1_440
/** Proposed for a new row: every day at six. */
const PROPOSED: WeeklyOrder = { days: [...weekdays], minute: 360, openingPct: 50 }

interface OrderRowsProps {
  readonly orders: readonly WeeklyOrder[]
  readonly onOrders: (orders: readonly WeeklyOrder[]) => void
}

/** The orders of a week: weekdays, local time and opening, one a row. */
export function OrderRows({ orders, onOrders }: OrderRowsProps) {
  const { t } = useTranslation('valves')
  const names = useDayNames()
  const change = (index: number, part: Partial<WeeklyOrder>) =>
    onOrders(orders.map((order, each) => (each === index ? { ...order, ...part } : order)))
  return (
    <div className={styles.rows}>
      {orders.map((order, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
        <div key={index} className={styles.row} data-testid="schedule-row">
          <Select<number[]>
            mode="multiple"
            className={styles.days ?? ''}
            aria-label={t('schedule.days')}
            data-testid="schedule-days"
            placeholder={t('schedule.days')}
            value={order.days}
            options={weekdays.map((day) => ({ value: day, label: names.short(day) }))}
            onChange={(days) => change(index, { days: days.toSorted((one, other) => one - other) })}
          />
          <TimeSelect
            label={t('schedule.time')}
            testId="schedule-time"
            value={order.minute}
            min={0}
            max={DAY_MINUTES - STEP_MINUTES}
            onValue={(minute) => change(index, { minute })}
          />
          <InputNumber
            aria-label={t('schedule.opening')}
            data-testid="schedule-opening"
            min={0}
            max={100}
            precision={0}
            suffix="%"
            value={order.openingPct}
            onChange={(openingPct) => change(index, { openingPct: openingPct ?? 0 })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('schedule.remove')}
            data-testid="schedule-remove"
            onClick={() => onOrders(orders.filter((_, each) => each !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          icon={<PlusOutlined />}
          data-testid="schedule-add"
          onClick={() => onOrders([...orders, PROPOSED])}
        >
          {t('schedule.add')}
        </Button>
      </div>
    </div>
  )
}
