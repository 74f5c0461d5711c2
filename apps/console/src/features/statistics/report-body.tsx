import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getReport } from '@isotherm/contract/endpoints/monitoring/statistics'
import { listFigures, mainFigure } from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { Panel } from '../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import { CourseLine } from './course-line.tsx'
import { DistributionBars } from './distribution-bars.tsx'
import { FiguresStrip } from './figures-strip.tsx'
import { ReportTable, type ReportTableProps } from './report-table.tsx'
import styles from './statistics.module.css'
import { PAGE_ROWS, type ReportChoice } from './statistics-query.ts'

type Answer = OutputOf<typeof getReport>
type Points = Parameters<typeof CourseLine>[0]['points']

/** Days, comparison and weather of a report in words. */
export function ReportSummary({ answer }: { readonly answer: Answer }) {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const { from, to, days, before, degreeDays, degreeDaysBefore } = answer
  const parts = [
    t('summary.range', { from, to, days }),
    before && t('summary.before', before),
    degreeDays !== undefined && t('summary.degreeDays', { value: format.number(degreeDays, 0) }),
    degreeDaysBefore !== undefined &&
      t('summary.degreeDaysBefore', { value: format.number(degreeDaysBefore, 0) }),
  ].filter((part) => part !== false && part !== undefined)
  return (
    <p className={styles.hint} data-testid="report-summary">
      {parts.join(' · ')}
    </p>
  )
}

interface ReportBodyProps extends Pick<ReportTableProps, 'onSort' | 'onOpen'> {
  readonly choice: ReportChoice
  readonly answer: Answer
  readonly points: Points | undefined
  readonly page: number
}

/** A report: figures of the whole selection, course, distribution and ranking. For the screen and for print. */
export function ReportBody({ choice, answer, points, page, ...table }: ReportBodyProps) {
  const { t } = useTranslation('statistics')
  const { report, level, sort, descending } = choice
  const { datalist, whole, distribution } = answer
  const main = mainFigure(report)
  const figure = listFigures(report).find(([name]) => name === main)?.[1]
  const name = t(`figure.${main}`)
  const place = t(`level.${level}`)
  return (
    <div className={styles.body}>
      <Panel title={t('whole')}>
        <FiguresStrip report={report} now={whole.now} before={whole.before} />
        <ReportSummary answer={answer} />
        <p className={styles.hint}>{t(`meaning.${report}`)}</p>
        {whole.now.measured === 0 && whole.now.devices > 0 && <p className={styles.hint}>{t('wholeDays')}</p>}
      </Panel>
      {figure && (
        <div className={styles.charts}>
          <Panel title={t('course.title', { figure: name })}>
            {points && (
              <CourseLine figure={figure} points={points} label={t('course.title', { figure: name })} />
            )}
          </Panel>
          <Panel
            title={t('distribution.title', { figure: name })}
            extra={<small className={styles.hint}>{t('distribution.places', { level: place })}</small>}
          >
            <DistributionBars
              figure={figure}
              distribution={distribution}
              label={t('distribution.title', { figure: name })}
            />
          </Panel>
        </div>
      )}
      <Panel title={t('ranking', { level: place })}>
        {datalist.length === 0 ? (
          <EmptyState title={t('empty', { level: place })} />
        ) : (
          <ReportTable
            report={report}
            rows={datalist}
            firstRank={(page - 1) * PAGE_ROWS + 1}
            sort={sort}
            descending={descending}
            {...table}
          />
        )}
      </Panel>
    </div>
  )
}
