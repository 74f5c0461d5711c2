import { getHeatSaving } from '@isotherm/contract/endpoints/control/savings'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { LoadingState } from '../../../shared/ui/states.tsx'
import { DrawerButton } from '../station/drawer-button.tsx'

const SavingPanel = lazyView(() => import('./saving-panel.tsx'))

/** The chart needs more room than a form. */
const WIDTH_PX = 640

interface SavingButtonProps {
  /** Controller of the station; absent without access. */
  readonly deviceId: number | undefined
  readonly stationName: string
}

/** Button that opens what a station saved; hidden without access. */
export function SavingButton({ deviceId, stationName }: SavingButtonProps) {
  const { t } = useTranslation('balancing')
  const maySee = useMayCall(getHeatSaving)
  if (deviceId === undefined || !maySee) return null
  return (
    <DrawerButton
      testId="saving"
      label={t('saving.button')}
      title={t('saving.title', { station: stationName })}
      widthPx={WIDTH_PX}
    >
      <Suspense fallback={<LoadingState />}>
        <SavingPanel deviceId={deviceId} />
      </Suspense>
    </DrawerButton>
  )
}
