import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { EmptyState } from '../../../shared/ui/states.tsx'

type Refusal = Exclude<HeatSavingAnswer['result'], { kind: 'known' }>

/** Why there is no saving, and what helps. */
export function SavingRefused({ refusal }: { readonly refusal: Refusal }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toText = (): string => {
    switch (refusal.kind) {
      case 'not-measured':
        return t(`saving.refused.not-measured.${refusal.what}`)
      case 'too-few-days':
        return t('saving.refused.too-few-days', { days: refusal.days, needed: refusal.needed })
      case 'weather-beyond-baseline':
        return t('saving.refused.weather-beyond-baseline', { days: refusal.days, ofDays: refusal.ofDays })
      case 'weather-too-equal':
        return t('saving.refused.weather-too-equal', {
          span: format.number(refusal.spanK, 1),
          needed: format.number(refusal.neededK, 0),
        })
      case 'heat-not-by-weather':
      case 'no-days':
        return t(`saving.refused.${refusal.kind}`)
    }
  }
  return (
    <div data-testid="saving-refused" data-kind={refusal.kind}>
      <EmptyState title={toText()} hint={t(`saving.advice.${refusal.kind}`)} />
    </div>
  )
}
