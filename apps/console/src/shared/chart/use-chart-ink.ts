import { theme } from 'antd'
import { useMemo } from 'react'
import type { ChartInk } from './chart-parts.ts'

/** Colours of a chart in the current theme; the same object until the theme changes. */
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
