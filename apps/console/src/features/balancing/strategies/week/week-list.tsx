import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { toSpanText } from '../../../../shared/week/clock-text.ts'
import { useDayNames } from '../../../../shared/week/use-day-names.ts'
import { toLevelFill, useLevelText } from './level-format.ts'
import styles from './week.module.css'
import { toDayPlan, type Week, type WeekSlot, weekdays } from './week-slots.ts'

interface WeekListProps {
  readonly week: Week<SlotLevel>
  readonly between: SlotLevel
  readonly chosen: WeekSlot<SlotLevel> | undefined
  readonly onChoose: ((slot: WeekSlot<SlotLevel>) => void) | undefined
}

/** The week in words: each day from midnight to midnight. */
export function WeekList({ week, between, chosen, onChoose }: WeekListProps) {
  const { t } = useTranslation('balancing')
  const names = useDayNames()
  const toLevelText = useLevelText()
  return (
    <details className={styles.list}>
      <summary data-testid="week-list">{t('week.list')}</summary>
      <table>
        <caption className={styles.hidden}>{t('week.list')}</caption>
        <tbody>
          {weekdays.map((day) => (
            <tr key={day}>
              <th scope="row">{names.long(day)}</th>
              <td>
                <ul>
                  {toDayPlan(week, day, between).map((span) => {
                    const { slot, fromMinute, level } = span
                    const text = `${toSpanText(span)} ${toLevelText(level)}`
                    return (
                      <li key={fromMinute}>
                        <i style={{ backgroundColor: toLevelFill(level) }} />
                        {slot && onChoose ? (
                          <button type="button" aria-pressed={slot === chosen} onClick={() => onChoose(slot)}>
                            {text}
                          </button>
                        ) : (
                          <span>{text}</span>
                        )}
                      </li>
                    )
                  })}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
