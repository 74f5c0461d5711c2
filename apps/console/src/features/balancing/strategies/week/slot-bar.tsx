import { CloseOutlined, DeleteOutlined, ScissorOutlined } from '@ant-design/icons'
import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'
import { TimeSelect } from '../../../../shared/week/time-select.tsx'
import { useDayNames } from '../../../../shared/week/use-day-names.ts'
import { LevelField } from './level-field.tsx'
import styles from './week.module.css'
import {
  findRoom,
  removeSlot,
  resizeSlot,
  setLevel,
  splitSlot,
  type Week,
  type WeekChange,
  type WeekSlot,
} from './week-slots.ts'

interface SlotBarProps {
  readonly week: Week<SlotLevel>
  readonly slot: WeekSlot<SlotLevel>
  readonly onChange: (change: WeekChange<SlotLevel>) => void
  readonly onRemove: (rest: Week<SlotLevel>) => void
  readonly onClose: () => void
}

/** Fields of the selected slot. */
export function SlotBar({ week, slot, onChange, onRemove, onClose }: SlotBarProps) {
  const { t } = useTranslation('balancing')
  const names = useDayNames()
  const rest = removeSlot(week, slot)
  const room = findRoom(rest, slot)
  const split = splitSlot(week, slot)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('week.chosen')} data-testid="slot-bar">
      <strong>{names.long(slot.day)}</strong>
      <TimeSelect
        label={t('week.from')}
        testId="slot-from"
        value={slot.fromMinute}
        min={room.fromMinute}
        max={slot.toMinute - STEP_MINUTES}
        onValue={(minute) => onChange(resizeSlot(week, slot, 'from', minute))}
      />
      <span aria-hidden>–</span>
      <TimeSelect
        label={t('week.to')}
        testId="slot-to"
        value={slot.toMinute}
        min={slot.fromMinute + STEP_MINUTES}
        max={room.toMinute}
        onValue={(minute) => onChange(resizeSlot(week, slot, 'to', minute))}
      />
      <LevelField
        label={t('week.slot')}
        testId="slot-level"
        level={slot.level}
        onLevel={(level) => onChange(setLevel(week, slot, level))}
      />
      <Button
        icon={<ScissorOutlined />}
        disabled={split === undefined}
        data-testid="slot-split"
        onClick={() => split && onChange(split)}
      >
        {t('week.split')}
      </Button>
      <Button icon={<DeleteOutlined />} data-testid="slot-remove" onClick={() => onRemove(rest)}>
        {t('week.remove')}
      </Button>
      <Button type="text" icon={<CloseOutlined />} aria-label={t('week.done')} onClick={onClose} />
    </div>
  )
}
