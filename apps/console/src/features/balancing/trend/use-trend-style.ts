import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useChartInk } from '../../../shared/chart/use-chart-ink.ts'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { TrendStyle } from './trend-option.ts'

/** Colours distinct in both themes and for red-green colour blindness. */
const SIGMA = '#d0533a'
const WITHIN = '#16877f'

/** Colours and texts of the trend in the current theme and language. */
export function useTrendStyle(): TrendStyle {
  const ink = useChartInk()
  const format = useFormat()
  const { t } = useTranslation('balancing')
  return useMemo(
    () => ({
      ...ink,
      sigma: SIGMA,
      within: WITHIN,
      sigmaLabel: t('trendPanel.sigma'),
      withinLabel: t('trendPanel.within'),
      campaignLabel: (id) => t('trendPanel.campaign', { id }),
      toReading: ({ at, sigmaReturnK, withinOneK, meanReturnC, valves }) => ({
        at,
        head: format.instant(at),
        lines: [
          { label: t('trendPanel.sigma'), value: withUnit(format.number(sigmaReturnK, 2), 'K') },
          { label: t('trendPanel.within'), value: withUnit(format.number(withinOneK * 100, 1), '%') },
          { label: t('trendPanel.meanReturn'), value: format.metric('temp.return', meanReturnC) },
          { label: t('trendPanel.valves'), value: format.number(valves, 0) },
        ],
      }),
    }),
    [ink, t, format],
  )
}
