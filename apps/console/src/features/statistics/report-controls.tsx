import {
  reportComparison,
  reportLevel,
  reportPeriod,
} from '@isotherm/contract/endpoints/monitoring/statistics'
import { reportNames } from '@isotherm/contract/statistics/reports'
import type { NodeKey } from '@isotherm/contract/tree'
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { DateInput } from '../../shared/inputs/date-input.tsx'
import { FilterBar } from '../../shared/records/filter-bar.tsx'
import { type ListUrl, withFilter } from '../../shared/records/list-url.ts'
import { FileButtons } from './file-buttons.tsx'
import styles from './statistics.module.css'
import { toChoice, toReportInput } from './statistics-query.ts'

interface ReportControlsProps {
  readonly url: ListUrl
  readonly onUrl: (part: Partial<ListUrl>) => void
  readonly nodes: readonly NodeKey[]
}

/** What is reported: report, level, period, comparison; and its files. */
export function ReportControls({ url, onUrl, nodes }: ReportControlsProps) {
  const { t } = useTranslation('statistics')
  const { report, level, period, compare, isComplete } = toChoice(url)
  // The report is what is shown, not a filter: clearing the filters leaves it.
  const { report: chosen, ...filters } = url.filters
  const keep = chosen === undefined ? {} : { report: chosen }
  const date = (name: string, label: string) => (
    <DateInput
      aria-label={label}
      data-testid={`report-${name}`}
      value={url.filters[name] ?? ''}
      onValue={(day) => onUrl(withFilter(url, name, day))}
    />
  )
  return (
    <FilterBar
      url={{ ...url, filters }}
      onUrl={(part) => onUrl(part.filters ? { ...part, filters: { ...keep, ...part.filters } } : part)}
      searchLabel={t('search')}
      filters={[
        {
          name: 'level',
          label: `${t('level.label')}: ${t(`level.${level}`)}`,
          options: reportLevel.options.map((value) => ({ value, label: t(`level.${value}`) })),
        },
        {
          name: 'period',
          label: `${t('period.label')}: ${t(`period.${period}`)}`,
          options: reportPeriod.options.map((value) => ({ value, label: t(`period.${value}`) })),
        },
        {
          name: 'compare',
          label: `${t('compare.label')}: ${t(`compare.${compare}`)}`,
          options: reportComparison.options.map((value) => ({ value, label: t(`compare.${value}`) })),
        },
      ]}
      controls={
        <span className={styles.controls}>
          <Segmented
            className={styles.choice ?? ''}
            aria-label={t('report.label')}
            data-testid="report-choice"
            value={report}
            options={reportNames.map((value) => ({ value, label: t(`report.${value}`) }))}
            onChange={(value) => onUrl({ ...withFilter(url, 'report', value), sort: undefined })}
          />
          {period === 'range' && (
            <span className={styles.controls}>
              {date('from', t('period.from'))}–{date('to', t('period.to'))}
            </span>
          )}
          {compare === 'range' && (
            <span className={styles.controls}>
              {date('compareFrom', t('compare.from'))}–{date('compareTo', t('compare.to'))}
            </span>
          )}
          {!isComplete && (
            <small className={styles.wrong} role="alert">
              {t('period.wrong')}
            </small>
          )}
        </span>
      }
    >
      <FileButtons input={isComplete ? toReportInput(nodes, url.text.trim(), url) : undefined} />
    </FilterBar>
  )
}
