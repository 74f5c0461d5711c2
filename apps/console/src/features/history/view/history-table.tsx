import { type MetricName, metrics as registry } from '@isotherm/contract/metrics'
import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import { QualityBadge } from '../../../shared/ui/badge.tsx'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import { type Curve, type HistoryRow, toHistoryRows } from '../curves/history-series.ts'

interface HistoryTableProps {
  readonly curves: readonly Curve[]
  readonly metrics: readonly MetricName[]
  readonly toName: (deviceId: number) => string
}

const TIME_PX = 180
const DEVICE_PX = 240
/** Fits the longest name in two lines. */
const METRIC_PX = 128
/** Fits a mean with its range. */
const BANDED_PX = 170
const QUALITY_PX = 130

/** The readings behind the curves, newest first. */
export default function HistoryTable({ curves, metrics, toName }: HistoryTableProps) {
  const { t } = useTranslation('history')
  const format = useFormat()
  const { timeZone } = useConsoleSettings()
  const rows = useMemo(() => toHistoryRows(curves), [curves])
  const isDaily = curves.some(({ bucket }) => bucket === 'day')
  const metricPx = curves.some(({ bands }) => bands) ? BANDED_PX : METRIC_PX
  const toText = (metric: MetricName, row: HistoryRow): string => {
    const band = row.bands.get(metric)?.map((edge) => format.metricValue(metric, edge))
    const value = format.metricValue(metric, row.values.get(metric))
    return band ? `${value} (${band.join('–')})` : value
  }
  const columns: TableColumnsType<HistoryRow> = [
    {
      key: 'time',
      title: t('history.time'),
      width: TIME_PX,
      render: (_, { ts }) => (isDaily ? format.day(ts, timeZone) : format.instant(ts)),
    },
    { key: 'device', title: t('history.device'), width: DEVICE_PX, render: (_, row) => toName(row.deviceId) },
    ...metrics.map((metric) => ({
      key: metric,
      title: `${format.metricName(metric)} ${registry[metric].unit}`,
      width: metricPx,
      align: 'right' as const,
      render: (_: unknown, row: HistoryRow) => toText(metric, row),
    })),
    {
      key: 'quality',
      title: t('history.quality'),
      width: QUALITY_PX,
      render: (_, row) => <QualityBadge quality={row.quality} />,
    },
  ]
  return (
    <DenseTable<HistoryRow>
      widthPx={TIME_PX + DEVICE_PX + QUALITY_PX + metricPx * metrics.length}
      rowKey={({ deviceId, ts }) => `${deviceId}/${ts}`}
      columns={columns}
      dataSource={rows}
    />
  )
}
