import { DownloadOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type HistoryRange, toLevel, toSpan } from '../history-range.ts'
import { readServerNow } from '../queries.ts'
import type { HistoryMetric } from '../url-state.ts'
import type { ExportAsked } from './export-query.ts'

const ExportDialog = lazy(() => import('./export-dialog.tsx'))

interface ExportButtonProps {
  readonly deviceIds: readonly number[]
  readonly nodes: readonly NodeKey[] | undefined
  readonly metrics: readonly HistoryMetric[]
  readonly range: HistoryRange
}

/** Opens the export of what the page shows as it stands at that moment: a range that follows now is held. */
export function ExportButton({ deviceIds, nodes, metrics, range }: ExportButtonProps) {
  const { t } = useTranslation('valves')
  const [shown, setShown] = useState<ExportAsked>()
  const open = () =>
    setShown({ deviceIds, nodes: [], metrics, level: toLevel(range), ...toSpan(range, readServerNow()) })
  return (
    <>
      <Button icon={<DownloadOutlined />} onClick={open} data-testid="export-history">
        {t('export.action')}
      </Button>
      {shown && (
        <Suspense>
          <ExportDialog shown={shown} nodes={nodes} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  )
}
