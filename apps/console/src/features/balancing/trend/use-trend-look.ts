import { theme } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './trend.module.css'
import type { TrendLook } from './trend-option.ts'

/** Told apart in light and dark and by eyes that mix red and green. */
const SIGMA = '#d0533a'
const WITHIN = '#16877f'

/** Built of elements, never of markup. */
function drawTooltip(head: string, lines: readonly (readonly [label: string, value: string])[]): HTMLElement {
  const box = document.createElement('div')
  box.className = styles.tooltip ?? ''
  const first = document.createElement('span')
  first.textContent = head
  box.append(first)
  for (const [label, value] of lines) {
    const name = document.createElement('span')
    name.textContent = label
    const figure = document.createElement('strong')
    figure.textContent = value
    box.append(name, figure)
  }
  return box
}

/** Colours, names and tooltip of the trend in the theme and language in force. */
export function useTrendLook(): TrendLook {
  const { token } = theme.useToken()
  const format = useFormat()
  const { t } = useTranslation('balancing')
  const { colorText, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorWarning } = token
  return useMemo(
    () => ({
      text: colorText,
      faint: colorTextTertiary,
      line: colorBorderSecondary,
      surface: colorBgElevated,
      mark: colorWarning,
      sigma: SIGMA,
      within: WITHIN,
      sigmaLabel: t('trendPanel.sigma'),
      withinLabel: t('trendPanel.within'),
      campaignLabel: (id) => t('trendPanel.campaign', { id }),
      tooltip: ({ at, sigmaReturnK, withinOneK, meanReturnC, valves }) =>
        drawTooltip(format.instant(at), [
          [t('trendPanel.sigma'), withUnit(format.number(sigmaReturnK, 2), 'K')],
          [t('trendPanel.within'), withUnit(format.number(withinOneK * 100, 1), '%')],
          [t('trendPanel.meanReturn'), format.metric('temp.return', meanReturnC)],
          [t('trendPanel.valves'), format.number(valves, 0)],
        ]),
    }),
    [colorText, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorWarning, format, t],
  )
}
