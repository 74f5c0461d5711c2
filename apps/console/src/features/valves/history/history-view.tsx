import type { Device } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { toChartOption, toLines, toPanels } from '../chart/chart-option.ts'
import { useChartTheme } from '../chart/use-chart-theme.ts'
import { findFixedRange, type HistoryRange, toLevel, toSpan } from '../curves/history-range.ts'
import { hasNoPoints } from '../curves/history-series.ts'
import text from '../lists/text.module.css'
import styles from './history.module.css'
import { HistoryNotes, YearBefore } from './history-notes.tsx'
import type { HistoryView as View } from './history-url.ts'
import { useAlarmMarks } from './use-alarm-marks.ts'
import { useHistory } from './use-history.ts'

// The chart library and the table are large, and only one of them is shown.
const Chart = lazy(() => import('../chart/chart.tsx'))
const HistoryTable = lazy(() => import('./history-table.tsx'))

interface HistoryViewProps {
  readonly devices: readonly Device[]
  /** How many of the chosen valves do not exist for this user. */
  readonly missing: number
  readonly metrics: readonly MetricName[]
  readonly range: HistoryRange
  readonly view: View
  /** Whether the curves of the year before are shown too. */
  readonly isCompared: boolean
  /** Current time of the server, Unix ms. */
  readonly now: number
  readonly onRange: (range: HistoryRange) => void
}

const PANEL_PX = 180
const MIN_PX = 300

/** The curves or the table of the chosen valves. */
export function HistoryView(props: HistoryViewProps) {
  const { devices, missing, metrics, range, view, isCompared, now, onRange } = props
  const { t } = useTranslation('valves')
  const isMobile = useIsMobile()
  const { history, before, commands, commandTotal, states } = useHistory({
    devices,
    metrics,
    range,
    isCompared: isCompared && view === 'chart',
  })
  const names = useMemo(
    () => new Map(devices.map((device) => [device.id, toCompactAddress(device.nestaddr)])),
    [devices],
  )
  const toName = useCallback((id: number) => names.get(id) ?? String(id), [names])
  const theme = useChartTheme(toName)
  const heightPx = Math.max(MIN_PX, toPanels(metrics).length * PANEL_PX)
  const { from, to } = toSpan(range, now)
  const span = useMemo(() => ({ from, to }), [from, to])
  const alarms = useAlarmMarks(devices, range, span)
  const curves = useMemo(
    () => [...(history.data ?? []), ...(before?.data ?? []).filter(({ points }) => points.length > 0)],
    [history.data, before?.data],
  )
  const data = useMemo(() => ({ curves, commands, alarms, span }), [curves, commands, alarms, span])
  const option = useMemo(() => toChartOption(data, theme, heightPx), [data, theme, heightPx])
  const lines = useMemo(() => toLines(data, theme), [data, theme])
  if (history.isPending) return <LoadingState />
  if (history.isError) return <ErrorState error={history.error} onRetry={() => history.refetch()} />
  const marked = commands.filter(({ createdAt }) => createdAt >= from && createdAt < to).length
  const isEmpty = hasNoPoints(curves)
  return (
    <div className={styles.history}>
      <HistoryNotes
        devices={devices}
        states={states}
        missing={missing}
        toName={toName}
        now={now}
        marked={marked}
        commandTotal={commandTotal > commands.length ? commandTotal : marked}
        isDownsampled={history.data.some(({ downsampled }) => downsampled)}
        level={toLevel(range)}
      >
        {view === 'chart' && alarms.length > 0 && <span className={text.hint}>{t('history.alarms')}</span>}
        {before && <YearBefore query={before} />}
        {view === 'chart' && (
          <span className={text.hint}>{isMobile ? t('history.pinch') : t('history.wheel')}</span>
        )}
      </HistoryNotes>
      {isEmpty ? (
        <EmptyState title={t('history.empty')} />
      ) : view === 'table' ? (
        <Suspense fallback={<LoadingState />}>
          <HistoryTable curves={history.data} metrics={metrics} toName={toName} />
        </Suspense>
      ) : (
        <div className={styles.chartBox}>
          <Suspense fallback={<LoadingState />}>
            <Chart
              option={option}
              lines={lines}
              alarms={alarms}
              span={span}
              heightPx={heightPx}
              label={devices.map(({ id }) => toName(id)).join(', ')}
              onZoom={(start, end) => {
                const zoomed = findFixedRange(start, end)
                if (zoomed) onRange(zoomed)
              }}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}
