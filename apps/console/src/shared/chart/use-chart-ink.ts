import { theme } from 'antd'
import { useMemo } from 'react'
import type { ChartInk } from './chart-parts.ts'

/** The colours of a chart in the theme in force; the same object until that changes. */
export function useChartInk(): ChartInk {
  const { token } = theme.useToken()
  const { colorText, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorWarning } = token
  return useMemo(
    () => ({
      text: colorText,
      faint: colorTextTertiary,
      line: colorBorderSecondary,
      surface: colorBgElevated,
      mark: colorWarning,
    }),
    [colorText, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorWarning],
  )
}
