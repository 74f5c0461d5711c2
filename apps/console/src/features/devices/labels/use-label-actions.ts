import { QrcodeOutlined } from '@ant-design/icons'
import { managingDevices } from '@isotherm/contract/endpoints/devices/device-access'
import type { NodeAction } from '../../../shared/nodes/node-action.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { openPlaceLabels } from './place-labels-store.ts'
import { findBuilding } from './to-label.ts'

const nothing: readonly NodeAction[] = []

const printLabels: NodeAction = {
  key: 'place-labels',
  title: (t) => t('labels.places.action', { ns: 'devices' }),
  icon: QrcodeOutlined,
  ability: (node) => ({
    queryKey: ['place-labels', node],
    queryFn: async () => findBuilding(node) !== undefined,
  }),
  act: openPlaceLabels,
}
const actions: readonly NodeAction[] = [printLabels]

/** The action of the devices feature in the tree menu, for users who manage devices. */
export const useLabelActions = (): readonly NodeAction[] =>
  useMayCall({ access: managingDevices }) ? actions : nothing
