import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { useDayNames } from '../../../../shared/week/use-day-names.ts'
import { copyDay, listDay, type Week, weekdays } from './week-slots.ts'

const WORKDAYS = weekdays.slice(0, 5)

/** Menu of a day: copy and clear. */
export function useDayMenu(
  day: number,
  week: Week<SlotLevel>,
  onWeek: ((week: Week<SlotLevel>) => void) | undefined,
): NonNullable<MenuProps['items']> {
  const { t } = useTranslation('balancing')
  const names = useDayNames()
  const copyTo = (days: readonly number[]) => onWeek?.(copyDay(week, day, days))
  return [
    { key: 'all', label: t('week.copyToAll'), onClick: () => copyTo(weekdays) },
    { key: 'workdays', label: t('week.copyToWorkdays'), onClick: () => copyTo(WORKDAYS) },
    {
      key: 'one',
      label: t('week.copyToOne'),
      children: weekdays
        .filter((other) => other !== day)
        .map((other) => ({ key: other, label: names.long(other), onClick: () => copyTo([other]) })),
    },
    { type: 'divider' },
    {
      key: 'clear',
      label: t('week.clear'),
      disabled: listDay(week, day).length === 0,
      onClick: () => onWeek?.(week.filter((slot) => slot.day !== day)),
    },
  ]
}
