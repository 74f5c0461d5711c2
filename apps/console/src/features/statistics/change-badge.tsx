import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import type { FigureDefinition } from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import styles from './statistics.module.css'
import { useFigureText } from './use-figure-text.ts'

interface ChangeBadgeProps {
  readonly figure: FigureDefinition
  readonly now: number | undefined
  readonly before: number | undefined
}

/** Change since the compared period, with its sign, and in words whether it is better. */
export function ChangeBadge({ figure, now, before }: ChangeBadgeProps) {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  if (now === undefined || before === undefined) return null
  const change = now - before
  const shown = text.change(figure, change)
  const isNone = !/[1-9]/.test(shown)
  const isBetter = figure.better === 'low' ? change < 0 : change > 0
  const tone = isNone || figure.better === undefined ? 'plain' : isBetter ? 'better' : 'worse'
  const title = t('compare.value', { value: text.withUnit(figure, before) })
  return (
    <span className={styles.change} data-tone={tone} title={title}>
      {!isNone && (change > 0 ? <ArrowUpOutlined /> : <ArrowDownOutlined />)}
      {shown}
      {tone !== 'plain' && <span className={styles.hidden}>{t(`compare.${tone}`)}</span>}
    </span>
  )
}
