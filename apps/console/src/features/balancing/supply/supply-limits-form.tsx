import { type Supply, setSupplyLimits } from '@isotherm/contract/endpoints/control/supplies'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { LimitsForm } from '../station/limits-form.tsx'
import { supplyFields } from './supply-fields.ts'
import { supplyQuery } from './supply-query.ts'

/** Form for the range of the offset of the heating curve and the largest change per command. */
export function SupplyLimitsForm({ supply }: { readonly supply: Supply }) {
  const { t } = useTranslation('balancing')
  const { deviceId, version } = supply
  return (
    <LimitsForm
      fields={supplyFields}
      present={supply}
      unit="K"
      isWhole={false}
      texts={{
        heading: t('supply.limitsOf'),
        crossed: t('supply.crossed'),
        labels: t('supply.limit', { returnObjects: true }),
        hints: t('supply.limitHint', { returnObjects: true }),
      }}
      testId="supply-limits"
      queryKey={supplyQuery(deviceId).queryKey}
      save={(limits) => call(setSupplyLimits, { deviceId, version, limits }, { quiet: true })}
    />
  )
}
