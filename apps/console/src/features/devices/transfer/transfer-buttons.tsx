import { DownloadOutlined, ImportOutlined } from '@ant-design/icons'
import { exportCompany } from '@isotherm/contract/endpoints/devices/transfer'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyPart } from '../../../shared/lazy/lazy-part.tsx'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { useFile } from './use-file.ts'

const loadImport = () => import('./import-drawer.tsx')

/** Buttons that import and export workbooks. The export has the selected node, else everything granted. */
export function TransferButtons({ onImported }: { readonly onImported: () => void }) {
  const { t } = useTranslation('devices')
  const [isOpen, setOpen] = useState(false)
  const nodes = useSelectedNodes() ?? []
  const [node] = nodes
  const exporting = useFile(exportCompany, true)
  const isOfNode = nodes.length === 1 && node !== undefined
  return (
    <>
      <Button icon={<ImportOutlined />} data-testid="transfer-open" onClick={() => setOpen(true)}>
        {t('transfer.open')}
      </Button>
      <Button
        icon={<DownloadOutlined />}
        loading={exporting.isPending}
        title={t(isOfNode ? 'transfer.exportNode' : 'transfer.exportAll')}
        data-testid="transfer-export"
        onClick={() => exporting.mutate(isOfNode ? { node } : {})}
      >
        {t('transfer.export')}
      </Button>
      <LazyPart
        wanted={isOpen}
        load={loadImport}
        onFailed={() => setOpen(false)}
        props={{ isOpen, onClose: () => setOpen(false), onImported }}
      />
    </>
  )
}
