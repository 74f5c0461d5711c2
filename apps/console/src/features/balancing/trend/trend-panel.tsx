import type { Campaign } from '@isotherm/contract/balancing/campaign'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState, LoadingState } from '../../../shared/ui/states.tsx'
import { trendQuery } from '../queries.ts'
import { findNearest } from '../trend-points.ts'
import styles from './trend.module.css'
import { findLateStart, type TrendPoint, type TrendStyle, toTrendOption } from './trend-option.ts'
import { DEFAULT_RANGE, type TrendRange, toFirstRange, trendRanges } from './trend-range.ts'
import { useTrendStyle } from './use-trend-style.ts'

// The chart library is heavy.
const TrendChart = lazyView(() => import('./trend-chart.tsx'))

interface TrendPanelProps {
  readonly node: NodeKey
  /** Chosen range; default: the readings of the last day. */
  readonly range: TrendRange | undefined
  readonly onRange: (range: TrendRange) => void
  /** Campaigns to mark, if approved in the range. */
  readonly campaigns: readonly Campaign[]
}

/** Trend of the return temperature deviation, with campaigns as marks. */
export function TrendPanel({ node, range: chosen, onRange, campaigns }: TrendPanelProps) {
  const { t } = useTranslation('balancing')
  const day = useQuery({ ...trendQuery(node, DEFAULT_RANGE), enabled: chosen === undefined })
  const range = chosen ?? (day.data ? toFirstRange(day.data.points, day.data.span) : DEFAULT_RANGE)
  const trend = useQuery({
    ...trendQuery(node, range),
    // Keep the shown range of the same loop until the new one arrives.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === node ? keepPreviousData(previous) : undefined,
  })
  return (
    <Panel
      title={t('trendPanel.title')}
      extra={
        <Segmented<TrendRange>
          size="small"
          aria-label={t('trendPanel.range')}
          data-testid="trend-range"
          value={range}
          options={trendRanges.map((each) => ({ value: each, label: t(`trendPanel.preset.${each}`) }))}
          onChange={onRange}
        />
      }
    >
      <Answer query={trend}>
        {({ points, span }) =>
          points.length === 0 ? (
            <EmptyState title={t('trendPanel.empty')} />
          ) : (
            <Curve points={points} span={span} campaigns={campaigns} />
          )
        }
      </Answer>
    </Panel>
  )
}

interface CurveProps {
  readonly points: readonly TrendPoint[]
  readonly span: { readonly from: number; readonly to: number }
  readonly campaigns: readonly Campaign[]
}

function Curve({ points, span, campaigns }: CurveProps) {
  const { t } = useTranslation('balancing')
  const look = useTrendStyle()
  const option = useMemo(
    () => toTrendOption({ points, span, campaigns }, look),
    [points, span, campaigns, look],
  )
  const read = (at: number) => {
    const point = findNearest(points, at)
    return point && look.toReading(point)
  }
  return (
    <>
      <Legend look={look} since={findLateStart(points, span)} />
      <Suspense
        fallback={
          <div className={styles.waiting}>
            <LoadingState />
          </div>
        }
      >
        <TrendChart option={option} span={span} read={read} label={t('trendPanel.label')} />
      </Suspense>
    </>
  )
}

interface LegendProps {
  readonly look: TrendStyle
  /** First shown instant, if well after the start of the range, Unix ms. */
  readonly since: number | undefined
}

function Legend({ look, since }: LegendProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return (
    <ul className={styles.legend}>
      <li>
        <i style={{ borderTopColor: look.sigma }} />
        {look.sigmaLabel} (K)
      </li>
      <li>
        <i style={{ borderTopColor: look.within, borderTopStyle: 'dashed' }} />
        {look.withinLabel} (%)
      </li>
      {since !== undefined && <li>{t('trendPanel.since', { instant: format.instant(since) })}</li>}
    </ul>
  )
}
