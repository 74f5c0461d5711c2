import { getPumps } from '@isotherm/contract/endpoints/control/pumps'
import { useTranslation } from 'react-i18next'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { DrawerButton } from '../station/drawer-button.tsx'
import { PumpPanel } from './pump-panel.tsx'

interface PumpButtonProps {
  /** Controller of the station; absent without access. */
  readonly deviceId: number | undefined
  readonly stationName: string
}

/** Button that opens the pump of a station; hidden without access. */
export function PumpButton({ deviceId, stationName }: PumpButtonProps) {
  const { t } = useTranslation('balancing')
  const maySee = useMayCall(getPumps)
  if (deviceId === undefined || !maySee) return null
  return (
    <DrawerButton testId="pump" label={t('pump.button')} title={t('pump.title', { station: stationName })}>
      <PumpPanel deviceId={deviceId} />
    </DrawerButton>
  )
}
