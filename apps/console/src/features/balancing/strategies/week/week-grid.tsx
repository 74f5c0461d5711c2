import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { Dropdown } from 'antd'
import { type CSSProperties, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toSpanText } from '../../../../shared/week/clock-text.ts'
import { useDayNames } from '../../../../shared/week/use-day-names.ts'
import { toLevelFill, useLevelText } from './level-format.ts'
import { applySlotKey } from './slot-keys.ts'
import { useDayMenu } from './use-day-menu.ts'
import { useSlotDrag } from './use-slot-drag.ts'
import styles from './week.module.css'
import {
  DAY_MINUTES,
  listDay,
  removeSlot,
  type Week,
  type WeekChange,
  type WeekSlot,
  weekdays,
} from './week-slots.ts'

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24] as const

interface WeekGridProps {
  readonly week: Week<SlotLevel>
  readonly between: SlotLevel
  /** Level of new slots. */
  readonly level: SlotLevel
  readonly chosen: WeekSlot<SlotLevel> | undefined
  readonly onChoose: (slot: WeekSlot<SlotLevel> | undefined) => void
  readonly onWeek: ((week: Week<SlotLevel>) => void) | undefined
}

/** Grid of seven days; each slot is a button that pointer and keys move. */
export function WeekGrid({ week, between, level, chosen, onChoose, onWeek }: WeekGridProps) {
  const { t } = useTranslation('balancing')
  const grid = useRef<HTMLElement>(null)
  const isMovedByKey = useRef(false)
  const apply = (change: WeekChange<SlotLevel>) => {
    onWeek?.(change.week)
    onChoose(change.slot)
  }
  const { pending, cancel, handlers } = useSlotDrag({ week, level, onChoose, onChange: apply })
  const shown = pending?.week ?? week
  const chosenShown = pending?.slot ?? chosen
  useLayoutEffect(() => {
    if (!isMovedByKey.current) return
    isMovedByKey.current = false
    grid.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  })
  const press = (event: KeyboardEvent, slot: WeekSlot<SlotLevel>) => {
    const change = applySlotKey(week, slot, event)
    if (change === undefined) return
    event.preventDefault()
    if (change === 'remove') {
      onWeek?.(removeSlot(week, slot))
      onChoose(undefined)
    } else {
      isMovedByKey.current = true
      apply(change)
    }
  }
  return (
    <section
      ref={grid}
      className={styles.grid}
      aria-label={t('week.label')}
      data-testid="week-grid"
      data-fixed={onWeek === undefined || undefined}
      {...(onWeek && handlers)}
      onKeyDownCapture={(event) => {
        if (event.key === 'Escape' && pending) {
          event.stopPropagation()
          cancel()
        }
      }}
    >
      <div className={styles.axis} aria-hidden>
        {HOURS.map((hour) => (
          <span key={hour} style={{ insetInlineStart: `${(100 * hour) / 24}%` }}>
            {hour}
          </span>
        ))}
      </div>
      {weekdays.map((day) => (
        <div key={day} className={styles.row}>
          <DayName day={day} week={week} onWeek={onWeek} />
          <div className={styles.day} data-day={day} style={{ backgroundColor: toLevelFill(between) }}>
            {listDay(shown, day).map((slot, index) => (
              <SlotButton
                // biome-ignore lint/suspicious/noArrayIndexKey: a slot that moves is the same as long as it keeps its place
                key={index}
                slot={slot}
                isChosen={slot === chosenShown}
                onChoose={onWeek && (() => onChoose(slot))}
                onKey={onWeek && ((event) => press(event, slot))}
              />
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

interface SlotButtonProps {
  readonly slot: WeekSlot<SlotLevel>
  readonly isChosen: boolean
  readonly onChoose: (() => void) | undefined
  readonly onKey: ((event: KeyboardEvent) => void) | undefined
}

function SlotButton({ slot, isChosen, onChoose, onKey }: SlotButtonProps) {
  const names = useDayNames()
  const toLevelText = useLevelText()
  const { day, fromMinute, toMinute, level } = slot
  const place: CSSProperties = {
    insetInlineStart: `${(100 * fromMinute) / DAY_MINUTES}%`,
    width: `${(100 * (toMinute - fromMinute)) / DAY_MINUTES}%`,
    backgroundColor: toLevelFill(level),
  }
  const text = `${toLevelText(level)} ${toSpanText(slot)}`
  const inside = (
    <>
      <strong>{toLevelText(level)}</strong> <small>{toSpanText(slot)}</small>
    </>
  )
  if (!onChoose)
    return (
      <span className={styles.slot} style={place} title={text}>
        {inside}
      </span>
    )
  return (
    <button
      type="button"
      className={styles.slot}
      style={place}
      title={text}
      aria-label={`${names.long(day)} ${text}`}
      aria-pressed={isChosen}
      data-from={fromMinute}
      data-testid={`slot-${day}-${toSpanText(slot)}`}
      onClick={onChoose}
      onKeyDown={onKey}
    >
      <i data-edge="from" />
      {inside}
      <i data-edge="to" />
    </button>
  )
}

interface DayNameProps {
  readonly day: WeekSlot<SlotLevel>['day']
  readonly week: Week<SlotLevel>
  readonly onWeek: ((week: Week<SlotLevel>) => void) | undefined
}

/** Name of a day with its menu. */
function DayName({ day, week, onWeek }: DayNameProps) {
  const { t } = useTranslation('balancing')
  const names = useDayNames()
  const items = useDayMenu(day, week, onWeek)
  if (!onWeek) return <span className={styles.name}>{names.short(day)}</span>
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <button
        type="button"
        className={styles.name}
        aria-label={t('week.dayMenu', { short: names.short(day) })}
        data-testid={`week-day-${day}`}
      >
        {names.short(day)}
      </button>
    </Dropdown>
  )
}
