import { DownloadOutlined } from '@ant-design/icons'
import type { MetricName } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { type HistoryRange, toLevel, toSpan } from '../curves/history-range.ts'
import type { ExportOffer } from './export-query.ts'

const ExportDialog = lazy(() => import('./export-dialog.tsx'))

interface ExportButtonProps {
  readonly deviceIds: readonly number[]
  readonly nodes: readonly NodeKey[] | undefined
  readonly metrics: readonly MetricName[]
  readonly range: HistoryRange
}

/** Opens the export dialog. The range and the selection are fixed at this moment. */
export function ExportButton({ deviceIds, nodes, metrics, range }: ExportButtonProps) {
  const { t } = useTranslation('valves')
  const [offer, setOffer] = useState<ExportOffer>()
  const open = () => {
    const span = toSpan(range, readServerNow())
    setOffer({ shown: { deviceIds, nodes: [], metrics, level: toLevel(range), ...span }, nodes })
  }
  return (
    <>
      <Button icon={<DownloadOutlined />} onClick={open} data-testid="export-history">
        {t('export.action')}
      </Button>
      {offer && (
        <Suspense>
          <ExportDialog offer={offer} onClose={() => setOffer(undefined)} />
        </Suspense>
      )}
    </>
  )
}
