import { type Supply, setSupplyOffset } from '@isotherm/contract/endpoints/control/supplies'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { SetpointForm } from '../station/setpoint-form.tsx'
import { supplyQuery } from './supply-query.ts'

/** Form for an offset of the heating curve. */
export function OffsetForm({ supply }: { readonly supply: Supply }) {
  const { t } = useTranslation('balancing')
  const { deviceId, offsetK = 0, limits } = supply
  return (
    <SetpointForm
      initial={offsetK}
      bounds={{ min: limits.minOffsetK, max: limits.maxOffsetK }}
      unit="K"
      isWhole={false}
      label={t('supply.set')}
      hint={t('supply.hint')}
      testId="supply-send"
      queryKey={supplyQuery(deviceId).queryKey}
      send={({ value, more }) =>
        call(setSupplyOffset, { deviceId, offsetK: value, ...more }, { quiet: true })
      }
    />
  )
}
