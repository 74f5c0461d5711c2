import type { NodeKey } from '@isotherm/contract/tree'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { OrderPanel } from './order-panel.tsx'

interface SetOpeningDrawerProps {
  /** Devices to set; none closes the drawer. */
  readonly ids: readonly number[]
  readonly batch: string | undefined
  readonly nodes: readonly NodeKey[]
  readonly onBatch: (batchId: string | undefined) => void
  readonly onClose: () => void
}

const WIDTH_PX = 560

/** The order panel in a drawer beside the live table, so that the valves stay visible while they move. */
export function SetOpeningDrawer({ ids, batch, nodes, onBatch, onClose }: SetOpeningDrawerProps) {
  const { t } = useTranslation('valves')
  return (
    <SideDrawer isWanted={ids.length > 0} title={t('set.title')} widthPx={WIDTH_PX} onClose={onClose}>
      <OrderPanel key={ids.join()} ids={ids} batch={batch} nodes={nodes} onBatch={onBatch} />
    </SideDrawer>
  )
}
