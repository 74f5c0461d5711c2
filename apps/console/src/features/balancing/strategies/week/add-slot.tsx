import { PlusOutlined } from '@ant-design/icons'
import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'
import { TimeSelect } from '../../../../shared/week/time-select.tsx'
import { useDayNames } from '../../../../shared/week/use-day-names.ts'
import { LevelField } from './level-field.tsx'
import styles from './week.module.css'
import { DAY_MINUTES, putSlots, type Week, weekdays } from './week-slots.ts'

interface AddSlotProps {
  readonly week: Week<SlotLevel>
  readonly level: SlotLevel
  readonly onLevel: (level: SlotLevel) => void
  readonly onWeek: (week: Week<SlotLevel>) => void
}

/** Form that adds one time slot to several days, also past midnight. */
export function AddSlot({ week, level, onLevel, onWeek }: AddSlotProps) {
  const { t } = useTranslation('balancing')
  const names = useDayNames()
  const [days, setDays] = useState<readonly number[]>(() => weekdays.slice(0, 5))
  const [fromMinute, setFrom] = useState(6 * 60)
  const [toMinute, setTo] = useState(22 * 60)
  const isOverNight = toMinute <= fromMinute
  return (
    <fieldset className={styles.bar} data-testid="slot-add">
      <legend>{t('week.add')}</legend>
      <Checkbox.Group
        className={styles.days ?? ''}
        value={[...days]}
        options={weekdays.map((day) => ({ value: day, label: names.short(day) }))}
        onChange={setDays}
      />
      <TimeSelect
        label={t('week.from')}
        testId="slot-add-from"
        value={fromMinute}
        min={0}
        max={DAY_MINUTES - STEP_MINUTES}
        onValue={setFrom}
      />
      <span aria-hidden>–</span>
      <TimeSelect
        label={t('week.to')}
        testId="slot-add-to"
        value={toMinute}
        min={STEP_MINUTES}
        max={DAY_MINUTES}
        onValue={setTo}
      />
      {isOverNight && <small>{t('week.nextDay')}</small>}
      <LevelField label={t('week.slot')} testId="slot-add-level" level={level} onLevel={onLevel} />
      <Button
        icon={<PlusOutlined />}
        disabled={days.length === 0}
        data-testid="slot-add-submit"
        onClick={() => onWeek(putSlots(week, days, { fromMinute, toMinute }, level))}
      >
        {t('week.addIt')}
      </Button>
    </fieldset>
  )
}
