import { DownloadOutlined } from '@ant-design/icons'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import type { MetricName } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { type HistoryRange, toLevel, toSpan } from '../curves/history-range.ts'
import { findMeasuring } from '../curves/replaced-curves.ts'
import type { ExportOffer } from './export-query.ts'

const ExportDialog = lazyView(() => import('./export-dialog.tsx'))

interface ExportButtonProps {
  readonly deviceIds: readonly number[]
  /** Devices that were replaced by these: their part of the history is exported too. */
  readonly earlier: readonly EarlierDevice[]
  readonly nodes: readonly NodeKey[] | undefined
  /** Kinds of devices of an export of the selection. */
  readonly kinds: readonly DeviceKind[]
  readonly metrics: readonly MetricName[]
  readonly range: HistoryRange
}

/** Opens the export dialog. The range and the selection are fixed at this moment. */
export function ExportButton({ deviceIds, earlier, nodes, kinds, metrics, range }: ExportButtonProps) {
  const { t } = useTranslation('history')
  const [offer, setOffer] = useState<ExportOffer>()
  const open = () => {
    const span = toSpan(range, readServerNow())
    const ids = [...deviceIds, ...findMeasuring(earlier, span.from).map(({ deviceId }) => deviceId)]
    setOffer({ shown: { deviceIds: ids, nodes: [], kinds, metrics, level: toLevel(range), ...span }, nodes })
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
