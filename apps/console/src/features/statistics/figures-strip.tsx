import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import { listFigures, type ReportName } from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import { Figure } from '../../shared/ui/page-frame.tsx'
import { ChangeBadge } from './change-badge.tsx'
import { Coverage } from './coverage.tsx'
import styles from './statistics.module.css'
import { useFigureText } from './use-figure-text.ts'

interface FiguresStripProps {
  readonly report: ReportName
  readonly now: MeasuredFigures
  readonly before: MeasuredFigures | undefined
}

/** Figures of everything that is selected. */
export function FiguresStrip({ report, now, before }: FiguresStripProps) {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  return (
    <div className={styles.figures} data-testid="report-figures">
      {listFigures(report).map(([name, figure]) => (
        <Figure
          key={name}
          label={t(`figure.${name}`)}
          testId={`figure-${name}`}
          value={
            <>
              {text.withUnit(figure, now.figures[name])}{' '}
              <ChangeBadge figure={figure} now={now.figures[name]} before={before?.figures[name]} />
            </>
          }
        />
      ))}
      <Figure label={t('coverage')} value={<Coverage of={now} />} testId="figure-coverage" />
    </div>
  )
}
