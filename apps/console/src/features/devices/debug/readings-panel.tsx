import type { Device } from '@isotherm/contract/devices'
import { type MetricName, metricNames } from '@isotherm/contract/metrics'
import { useQuery } from '@tanstack/react-query'
import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { QualityBadge } from '../../../shared/ui/badge.tsx'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from './debug.module.css'
import type { RangeKey } from './debug-url.ts'
import { type ReadingRow, readingsQuery } from './readings-query.ts'

const TIME_PX = 170
const VALUE_PX = 110
const POLL_MS = 15_000

interface ReadingsPanelProps {
  readonly device: Device
  readonly range: RangeKey
}

/** The readings of a device as a table, newest first. */
export function ReadingsPanel({ device, range }: ReadingsPanelProps) {
  const { t } = useTranslation('devices')
  const query = useQuery({ ...readingsQuery(device, range), refetchInterval: POLL_MS })
  return (
    <Answer query={query}>
      {({ rows, isDownsampled }) =>
        rows.length === 0 ? (
          <EmptyState title={t('debug.noReadings')} />
        ) : (
          <>
            {isDownsampled && <p className={styles.meta}>{t('debug.downsampled')}</p>}
            <ReadingsTable rows={rows} />
          </>
        )
      }
    </Answer>
  )
}

const toColumns = (
  names: readonly MetricName[],
  format: Format,
  titles: { readonly time: string; readonly quality: string },
): TableColumnsType<ReadingRow> => [
  { key: 'ts', title: titles.time, width: TIME_PX, render: (_, { ts }) => format.instant(ts) },
  {
    key: 'quality',
    title: titles.quality,
    width: VALUE_PX,
    render: (_, { quality }) => <QualityBadge quality={quality} />,
  },
  ...names.map((name) => ({
    key: name,
    title: format.metricName(name),
    width: VALUE_PX,
    align: 'end' as const,
    render: (_: unknown, { values }: ReadingRow) => format.metric(name, values[name]),
  })),
]

function ReadingsTable({ rows }: { readonly rows: readonly ReadingRow[] }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const columns = useMemo(() => {
    const names = metricNames.filter((name) => rows.some(({ values }) => values[name] !== undefined))
    return toColumns(names, format, { time: t('debug.time'), quality: t('debug.quality') })
  }, [rows, format, t])
  return (
    <div className={styles.table}>
      <DenseTable<ReadingRow>
        rowKey="ts"
        widthPx={TIME_PX + (columns.length - 1) * VALUE_PX}
        columns={columns}
        dataSource={rows}
        data-testid="readings"
      />
    </div>
  )
}
