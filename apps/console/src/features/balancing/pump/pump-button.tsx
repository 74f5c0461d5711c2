import { getPumps } from '@isotherm/contract/endpoints/control/pumps'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session-store.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { PumpPanel } from './pump-panel.tsx'

const WIDTH_PX = 420

interface PumpButtonProps {
  /** Controller of the station; absent without access. */
  readonly deviceId: number | undefined
  readonly stationName: string
}

/** Button that opens the pump of a station; hidden without access. */
export function PumpButton({ deviceId, stationName }: PumpButtonProps) {
  const { t } = useTranslation('balancing')
  const [isOpen, setOpen] = useState(false)
  const maySee = useSession(({ permitted }) => getPumps.access.anyOf.some((each) => permitted.has(each)))
  if (deviceId === undefined || !maySee) return null
  return (
    <>
      <Button data-testid="pump" onClick={() => setOpen(true)}>
        {t('pump.button')}
      </Button>
      <SideDrawer
        isWanted={isOpen}
        title={t('pump.title', { station: stationName })}
        widthPx={WIDTH_PX}
        onClose={() => setOpen(false)}
      >
        <PumpPanel deviceId={deviceId} />
      </SideDrawer>
    </>
  )
}
