import type { FigureDefinition } from '@isotherm/contract/statistics/reports'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'

export interface FigureText {
  /** Unit as shown; nothing for a number of things. */
  readonly unit: (figure: FigureDefinition) => string
  /** Without unit. */
  readonly value: (figure: FigureDefinition, value: number | undefined) => string
  readonly withUnit: (figure: FigureDefinition, value: number | undefined) => string
  /** A difference with its sign, without unit; shares in percentage points. */
  readonly change: (figure: FigureDefinition, change: number) => string
}

/** Texts of the figures of reports. */
export function useFigureText(): FigureText {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  return useMemo(() => {
    const unit: FigureText['unit'] = (figure) => {
      if (figure.unit === 'share') return '%'
      if (figure.unit === 'count') return ''
      return figure.unit === 'strokes' ? t('unit.strokes') : figure.unit
    }
    const value: FigureText['value'] = (figure, given) => {
      const scale = figure.unit === 'share' ? 100 : 1
      return format.number(given === undefined ? undefined : given * scale, figure.decimals)
    }
    return {
      unit,
      value,
      withUnit: (figure, given) =>
        given === undefined ? value(figure, given) : `${value(figure, given)}\u00a0${unit(figure)}`.trimEnd(),
      change: (figure, change) => {
        const shown = value(figure, Math.abs(change))
        // A difference that is zero in the shown decimals has no sign.
        const sign = !/[1-9]/.test(shown) ? '±' : change > 0 ? '+' : '−'
        return `${sign}${shown}`
      },
    }
  }, [format, t])
}
