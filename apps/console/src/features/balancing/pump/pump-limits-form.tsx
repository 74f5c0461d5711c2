import { type Pump, setPumpLimits } from '@isotherm/contract/endpoints/control/pumps'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { LimitsForm } from '../station/limits-form.tsx'
import { pumpFields } from './pump-fields.ts'
import { pumpQuery } from './pump-query.ts'

/** Form for the range of the pump's head setpoint and the largest change per command. */
export function PumpLimitsForm({ pump }: { readonly pump: Pump }) {
  const { t } = useTranslation('balancing')
  const { deviceId, version } = pump
  return (
    <LimitsForm
      fields={pumpFields}
      present={pump}
      unit="kPa"
      isWhole
      texts={{
        heading: t('pump.limitsOf'),
        crossed: t('pump.crossed'),
        labels: t('pump.limit', { returnObjects: true }),
        hints: t('pump.limitHint', { returnObjects: true }),
      }}
      testId="pump-limits"
      queryKey={pumpQuery(deviceId).queryKey}
      save={(limits) => call(setPumpLimits, { deviceId, version, limits }, { quiet: true })}
    />
  )
}
