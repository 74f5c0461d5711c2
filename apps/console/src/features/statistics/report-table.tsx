import type { ReportRow } from '@isotherm/contract/endpoints/monitoring/statistics'
import {
  type FigureName,
  listFigures,
  mainFigure,
  type ReportName,
} from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { ChangeBadge } from './change-badge.tsx'
import { Coverage } from './coverage.tsx'
import styles from './statistics.module.css'
import { useFigureText } from './use-figure-text.ts'

export interface ReportTableProps {
  readonly report: ReportName
  readonly rows: readonly ReportRow[]
  /** Rank of the first row. */
  readonly firstRank: number
  readonly sort: string
  readonly descending: boolean
  /** Absent on paper. */
  readonly onSort?: (sort: FigureName | 'place', descending: boolean) => void
  readonly onOpen?: (row: ReportRow) => void
}

interface HeadProps extends Pick<ReportTableProps, 'sort' | 'descending' | 'onSort'> {
  readonly name: FigureName | 'place'
  readonly title: string
}

function Head({ name, title, sort, descending, onSort }: HeadProps) {
  const isSorted = sort === name
  const order = isSorted ? (descending ? 'descending' : 'ascending') : 'none'
  return (
    <th scope="col" aria-sort={order}>
      {onSort ? (
        <button
          type="button"
          className="bare"
          data-testid={`sort-${name}`}
          onClick={() => onSort(name, isSorted ? !descending : name !== 'place')}
        >
          {title} {isSorted && (descending ? '↓' : '↑')}
        </button>
      ) : (
        title
      )}
    </th>
  )
}

/** The ranking: places with their figures; the main figure has a bar. */
export function ReportTable(props: ReportTableProps) {
  const { report, rows, firstRank, onOpen, ...order } = props
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const figures = listFigures(report)
  const main = mainFigure(report)
  const most = Math.max(...rows.map(({ now }) => Math.abs(now.figures[main] ?? 0)), 1e-9)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the keyboard must reach what it scrolls
    <section className={styles.scroll} aria-label={t('report.label')} tabIndex={0}>
      <table className={styles.table} data-testid="report-table">
        <thead>
          <tr>
            <th scope="col">#</th>
            <Head name="place" title={t('place')} {...order} />
            {figures.map(([name, figure]) => {
              const unit = text.unit(figure)
              const title = `${t(`figure.${name}`)}${unit && ` (${unit})`}`
              return <Head key={name} name={name} title={title} {...order} />
            })}
            <th scope="col">{t('coverage')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.node} data-testid={`report-row-${row.node}`}>
              <td>{firstRank + index}</td>
              <th scope="row" title={toWholeAddress(row.nestaddr)}>
                {onOpen ? (
                  <button type="button" className={`bare ${styles.link}`} onClick={() => onOpen(row)}>
                    {toCompactAddress(row.nestaddr)}
                  </button>
                ) : (
                  toCompactAddress(row.nestaddr)
                )}
              </th>
              {figures.map(([name, figure]) => {
                const value = row.now.figures[name]
                return (
                  <td key={name}>
                    {name === main && value !== undefined && (
                      <span
                        className={styles.meter}
                        style={{ width: `${(Math.abs(value) / most) * 100}%` }}
                      />
                    )}
                    {text.value(figure, value)}{' '}
                    <ChangeBadge figure={figure} now={value} before={row.before?.figures[name]} />
                  </td>
                )
              })}
              <td>
                <Coverage of={row.now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
