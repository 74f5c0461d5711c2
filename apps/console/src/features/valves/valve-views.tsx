import { type ComponentProps, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { useRefusalText } from '../../shared/live/refusal-text.ts'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import type { RealUrl, RealView } from './live/real-url.ts'
import type { useValveRows } from './live/use-valve-rows.ts'
import { ValveCards } from './live/valve-cards.tsx'
import { ValveTable } from './live/valve-table.tsx'
import { columns, type SortKey } from './rows/row-query.ts'
import { SectionView } from './section/section-view.tsx'
import { areTooMany } from './selection/list-valves.ts'

interface ValveViewsProps
  extends Pick<ReturnType<typeof useValveRows>, 'valves' | 'live' | 'total' | 'isWhole'> {
  /** Whether there are valves before the filter. */
  readonly hasRows: boolean
  readonly url: RealUrl
  readonly change: (part: Partial<RealUrl>) => void
  readonly view: RealView
  /** What each view shows. */
  readonly list: ComponentProps<typeof ValveCards>
}

/** The live valves as table, cards or cross-section, or why there are none. */
export function ValveViews(props: ValveViewsProps) {
  const { valves, live, total, isWhole, hasRows, url, change, view, list } = props
  const { t } = useTranslation('valves')
  const format = useFormat()
  const toRefusalText = useRefusalText()
  const { hidden, sort, descending } = url
  // A new array would render every visible row again at each push.
  const shownColumns = useMemo(() => columns.filter((column) => !hidden.includes(column)), [hidden])
  if (valves.isError) return <ErrorState error={valves.error} onRetry={() => valves.refetch()} />
  if (live.refused) return <EmptyState title={toRefusalText(live.refused)} />
  if (list.rows.length === 0 && !isWhole) return <LoadingState />
  if (areTooMany({ total }))
    return (
      <EmptyState title={t('table.tooMany', { total: format.number(total, 0) })} hint={t('table.narrow')} />
    )
  if (list.rows.length === 0) return <EmptyState title={hasRows ? t('table.noMatch') : t('table.noValves')} />
  if (view === 'cards') return <ValveCards {...list} />
  if (view === 'section')
    return (
      <SectionView
        rows={list.rows}
        metric={url.colour}
        onMetric={(colour) => change({ colour })}
        selected={list.selected}
        onSelect={list.onSelect}
        onDetails={list.onDetails}
        now={list.now}
      />
    )
  const sortBy = (key: SortKey) => change({ sort: key, descending: key === sort && !descending })
  return <ValveTable {...list} columns={shownColumns} sort={sort} descending={descending} onSort={sortBy} />
}
