import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useChartInk } from '../../../shared/chart/use-chart-ink.ts'
import type { SavingStyle } from './saving-option.ts'

/** Colours distinct in both themes and for red-green colour blindness. */
const BEFORE = '#d0533a'
const AFTER = '#16877f'

/** Colours and texts of the plot in the current theme and language. */
export function useSavingStyle(): SavingStyle {
  const ink = useChartInk()
  const { t } = useTranslation('balancing')
  return useMemo(
    () => ({
      ...ink,
      before: BEFORE,
      after: AFTER,
      beforeLabel: t('saving.before'),
      afterLabel: t('saving.after'),
    }),
    [ink, t],
  )
}
