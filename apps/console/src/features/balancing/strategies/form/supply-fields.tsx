import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import field from '../../fields/field.module.css'
import { NumberField } from '../../fields/number-field.tsx'
import { planBounds } from '../plan-bounds.ts'
import { type PlanDraft, type SupplyDraft, usualSupply } from '../plan-draft.ts'
import styles from '../strategy.module.css'

interface SupplyFieldsProps {
  readonly draft: PlanDraft
  readonly onChange: (part: Partial<PlanDraft>) => void
}

const units = {
  comfortC: '°C',
  coldMarginK: 'K',
  maxColdPct: '%',
  lowerK: 'K',
  minMeasuredPct: '%',
  minHeadPct: '%',
} as const satisfies Record<keyof SupplyDraft, string>
const names = Object.keys(units) as readonly (keyof SupplyDraft)[]

/** Whether and how far a strategy lowers the supply temperature. */
export function SupplyFields({ draft: { supply }, onChange }: SupplyFieldsProps) {
  const { t } = useTranslation('balancing')
  return (
    <fieldset className={styles.part}>
      <legend>{t('strategy.supply.legend')}</legend>
      <div className={field.field}>
        <Checkbox
          data-testid="strategy-supply"
          checked={supply !== undefined}
          onChange={({ target }) => onChange({ supply: target.checked ? usualSupply : undefined })}
        >
          {t('strategy.supply.use')}
        </Checkbox>
        <small>{t('strategy.supply.useHint')}</small>
      </div>
      {supply && (
        <div className={styles.fields}>
          {names.map((name) => (
            <NumberField
              key={name}
              label={t(`strategy.supply.field.${name}`)}
              unit={units[name]}
              hint={t(`strategy.supply.hint.${name}`)}
              bounds={planBounds[name]}
              isNeeded
              value={supply[name]}
              onValue={(value) => onChange({ supply: { ...supply, [name]: value } })}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
