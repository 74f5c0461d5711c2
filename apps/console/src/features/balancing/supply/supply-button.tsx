import { getSupplies } from '@isotherm/contract/endpoints/control/supplies'
import { useTranslation } from 'react-i18next'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { DrawerButton } from '../station/drawer-button.tsx'
import { SupplyPanel } from './supply-panel.tsx'

interface SupplyButtonProps {
  /** Controller of the station; absent without access. */
  readonly deviceId: number | undefined
  readonly stationName: string
}

/** Button that opens the supply temperature of a station; hidden without access. */
export function SupplyButton({ deviceId, stationName }: SupplyButtonProps) {
  const { t } = useTranslation('balancing')
  const maySee = useMayCall(getSupplies)
  if (deviceId === undefined || !maySee) return null
  return (
    <DrawerButton
      testId="supply"
      label={t('supply.button')}
      title={t('supply.title', { station: stationName })}
    >
      <SupplyPanel deviceId={deviceId} />
    </DrawerButton>
  )
}
