import { type Pump, setPumpHead } from '@isotherm/contract/endpoints/control/pumps'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { SetpointForm } from '../station/setpoint-form.tsx'
import { pumpQuery } from './pump-query.ts'

/** Form for a head setpoint. */
export function HeadForm({ pump }: { readonly pump: Pump }) {
  const { t } = useTranslation('balancing')
  const { deviceId, targetKpa, headKpa, limits } = pump
  return (
    <SetpointForm
      initial={Math.round(targetKpa ?? headKpa ?? limits.minHeadKpa)}
      bounds={{ min: limits.minHeadKpa, max: limits.maxHeadKpa }}
      unit="kPa"
      isWhole
      label={t('pump.set')}
      hint={t('pump.hint')}
      testId="pump-send"
      queryKey={pumpQuery(deviceId).queryKey}
      send={({ value, more }) => call(setPumpHead, { deviceId, headKpa: value, ...more }, { quiet: true })}
    />
  )
}
