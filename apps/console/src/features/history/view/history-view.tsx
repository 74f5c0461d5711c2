import { SwapOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import { isMetricName, isReportedBy, type MetricName } from '@isotherm/contract/metrics'
import { Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { toChartOption, toLines, toPanels } from '../chart/chart-option.ts'
import { useChartTheme } from '../chart/use-chart-theme.ts'
import { findFixedRange, type HistoryRange, toLevel, toSpan } from '../curves/history-range.ts'
import { hasNoPoints } from '../curves/history-series.ts'
import { markReplaced, toReplacedAt } from '../curves/replaced-curves.ts'
import text from '../text.module.css'
import styles from './history.module.css'
import { HistoryNotes, YearBefore } from './history-notes.tsx'
import { MAX_CURVES } from './history-queries.ts'
import type { HistoryView as View } from './history-url.ts'
import { useAlarmMarks } from './use-alarm-marks.ts'
import { useHistory } from './use-history.ts'

// The chart library and the table are large, and only one of them is shown.
const Chart = lazyView(() => import('../chart/chart.tsx'))
const HistoryTable = lazyView(() => import('./history-table.tsx'))

interface HistoryViewProps {
  readonly devices: readonly Device[]
  /** Devices that were replaced by these. */
  readonly earlier: readonly EarlierDevice[]
  /** How many of the chosen devices do not exist for this user. */
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

/** The curves or the table of the chosen devices. */
export function HistoryView(props: HistoryViewProps) {
  const { devices, earlier, missing, metrics, range, view, isCompared, now, onRange } = props
  const { t } = useTranslation('history')
  const isMobile = useIsMobile()
  const format = useFormat()
  const { history, before, commands, commandTotal, states } = useHistory({
    devices,
    earlier,
    metrics,
    range,
    isCompared: isCompared && view === 'chart',
  })
  const names = useMemo(() => {
    const own = new Map(devices.map((device) => [device.id, toCompactAddress(device.nestaddr)]))
    const replaced = earlier.map(({ of, deviceId, imei }) => {
      const text = t('history.replacedName', { name: own.get(of) ?? String(of), imei })
      return [deviceId, text] as const
    })
    return new Map([...own, ...replaced])
  }, [devices, earlier, t])
  const toName = useCallback((id: number) => names.get(id) ?? String(id), [names])
  const theme = useChartTheme(toName)
  const heightPx = Math.max(MIN_PX, toPanels(metrics).length * PANEL_PX)
  const { from, to } = toSpan(range, now)
  const span = useMemo(() => ({ from, to }), [from, to])
  const alarms = useAlarmMarks(devices, range, span)
  const { reported, curves } = useMemo(() => {
    const kindOf = new Map(devices.map(({ id, kind }) => [id, kind]))
    const reported = markReplaced(history.data ?? [], earlier).filter(({ deviceId, replaced, metric }) => {
      const kind = kindOf.get(replaced?.by ?? deviceId)
      return kind !== undefined && isMetricName(metric) && isReportedBy(metric, kind)
    })
    const then = markReplaced(before?.data ?? [], earlier).filter(({ points }) => points.length > 0)
    return { reported, curves: [...reported, ...then].slice(0, MAX_CURVES) }
  }, [devices, earlier, history.data, before?.data])
  const replacedAt = useMemo(() => toReplacedAt(earlier, span), [earlier, span])
  const data = useMemo(
    () => ({ curves, commands, alarms, replacedAt, span }),
    [curves, commands, alarms, replacedAt, span],
  )
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
        {replacedAt.length > 0 && (
          <span className={text.hint}>
            <SwapOutlined />{' '}
            {t('history.replaced', { instants: replacedAt.map((at) => format.instant(at)).join(', ') })}
          </span>
        )}
        {view === 'chart' && alarms.length > 0 && <span className={text.hint}>{t('history.alarms')}</span>}
        {view === 'chart' && reported.length > MAX_CURVES && (
          <span className={text.hint}>
            {t('history.tooMany', { count: reported.length, shown: MAX_CURVES })}
          </span>
        )}
        {before && <YearBefore query={before} />}
        {view === 'chart' && (
          <span className={text.hint}>{isMobile ? t('history.pinch') : t('history.wheel')}</span>
        )}
      </HistoryNotes>
      {isEmpty ? (
        <EmptyState title={t('history.empty')} />
      ) : view === 'table' ? (
        <Suspense fallback={<LoadingState />}>
          <HistoryTable curves={reported} metrics={metrics} toName={toName} />
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
