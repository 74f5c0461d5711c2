import type { NodeKey } from '@isotherm/contract/tree'
import { Drawer } from 'antd'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsMobile } from '../../../shared/ui/use-width.ts'
import { OrderPanel } from './order-panel.tsx'

interface SetOpeningDrawerProps {
  /** Devices to set; none closes the drawer. */
  readonly ids: readonly number[]
  readonly batch: string | undefined
  readonly nodes: readonly NodeKey[]
  readonly onBatch: (batchId: string | undefined) => void
  readonly onClose: () => void
}

/**
 * The order panel beside the live table, so that the valve is watched while it moves. It opens in an update of its
 * own: the drawer notes itself as open while it is rendered, and one whose rendering begins in a navigation and is
 * given up for a live reading would stay noted for good, with the page around it.
 */
export function SetOpeningDrawer({ ids, batch, nodes, onBatch, onClose }: SetOpeningDrawerProps) {
  const { t } = useTranslation('valves')
  const isMobile = useIsMobile()
  const isWanted = ids.length > 0
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => setOpen(isWanted), [isWanted])
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      title={t('set.title')}
      size={isMobile ? '100%' : 560}
      mask={isMobile}
      destroyOnHidden
    >
      {/* A drawer without a mask keeps the last element focused in it for good, and with it all it stood in. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus event from the drawer */}
      <div onFocus={(event) => event.stopPropagation()}>
        <OrderPanel key={ids.join()} ids={ids} batch={batch} nodes={nodes} onBatch={onBatch} />
      </div>
    </Drawer>
  )
}
