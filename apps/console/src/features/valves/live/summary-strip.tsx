import { metrics } from '@isotherm/contract/metrics'
import { useTranslation } from 'react-i18next'
import { ABSENT, withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './valve-list.module.css'
import type { ValveSummary } from './valve-summary.ts'

interface SummaryStripProps {
  readonly summary: ValveSummary
  /** The final number of valves while they are still loading. */
  readonly total: number | undefined
}

/** Summary figures of the selection. */
export function SummaryStrip({ summary, total }: SummaryStripProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const valves = format.number(summary.valves, 0)
  const flow = format.number(summary.totalFlowM3h, 1)
  const spread = format.number(summary.spreadReturnK, 2)
  const figures = [
    ['valves', total === undefined ? valves : `${valves} / ${format.number(total, 0)}`],
    ['online', format.number(summary.online, 0)],
    ['silent', format.number(summary.silent, 0)],
    ['unknown', format.number(summary.unknown, 0)],
    ['pending', format.number(summary.pending, 0)],
    ['held', format.number(summary.held, 0)],
    ['meanReturn', format.metric('temp.return', summary.meanReturnC)],
    ['spreadReturn', spread === ABSENT ? spread : withUnit(spread, 'K')],
    ['totalFlow', flow === ABSENT ? flow : withUnit(flow, metrics['heat.flow'].unit)],
  ] as const
  return (
    <dl className={styles.strip} aria-label={t('summary.label')}>
      {figures.map(([name, text]) => (
        <div key={name} className={styles.figure} data-testid={`summary-${name}`}>
          <dt>{t(`summary.${name}`)}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
