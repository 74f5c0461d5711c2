import {
  type IrrigationSource,
  type IrrigationSourceSettings,
  irrigationSourceSettings,
  outageRule,
} from '@isotherm/contract/irrigation'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showNotice } from '../../../shared/notices/notices.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import styles from '../irrigation.module.css'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'
import { Field } from './field.tsx'
import { NumberField } from './number-field.tsx'
import { PumpHouseFields } from './pump-house-fields.tsx'

const proposed: IrrigationSourceSettings = {
  name: '',
  capacityM3H: 40,
  leadS: 10,
  groupDelayS: 10,
  afterOutage: 'resume',
}

interface SourceFormProps {
  readonly isOpen: boolean
  readonly node: string
  readonly place: string
  /** Absent for a new source. */
  readonly source?: IrrigationSource
  readonly onClose: () => void
}

const numbers = [
  ['capacityM3H', 0.1, 10_000, 1],
  ['dailyBudgetM3', 0, 1_000_000, 1],
  ['leadS', 0, 600, 0],
  ['groupDelayS', 0, 3_600, 0],
  ['latitude', -90, 90, 4],
  ['longitude', -180, 180, 4],
  ['altitudeM', -430, 5_000, 0],
] as const

/** The settings of a source. Its name may be older than the rule for names, so it is not checked. */
const toDraft = (source: IrrigationSource): IrrigationSourceSettings => ({
  ...irrigationSourceSettings.omit({ name: true }).parse(source),
  name: source.name,
})

/** Settings of a source of water. */
export function SourceForm({ isOpen, node, place, source, onClose }: SourceFormProps) {
  const { t } = useTranslation('irrigation')
  const [typed, setTyped] = useState<Partial<IrrigationSourceSettings>>({})
  const draft = { ...proposed, ...(source && toDraft(source)), ...typed }
  const parsed = irrigationSourceSettings.safeParse(draft)
  const close = () => {
    setTyped({})
    onClose()
  }
  const save = useIrrigationChange(irrigationCalls.setSource, () => {
    showNotice('success', t('saved'))
    close()
  })
  const put = (name: keyof IrrigationSourceSettings, value: unknown) =>
    setTyped((before) => ({ ...before, [name]: value }))
  return (
    <SideDrawer
      isWanted={isOpen}
      title={source ? t('source.edit') : t('source.add')}
      widthPx={420}
      isModal
      onClose={close}
    >
      <div className={styles.stack} data-testid="source-form">
        <small className={styles.hint}>{place.replaceAll(',', ' / ')}</small>
        <Field label={t('source.name')}>
          <Input
            value={draft.name}
            data-testid="source-name"
            onChange={({ target }) => put('name', target.value)}
          />
        </Field>
        {numbers.map(([name, min, max, precision]) => (
          <NumberField
            key={name}
            label={t(`source.${name}`)}
            min={min}
            max={max}
            precision={precision}
            value={draft[name]}
            onValue={(value) => put(name, value)}
          />
        ))}
        {source && <PumpHouseFields source={source} draft={draft} onChange={put} />}
        <Field label={t('source.afterOutage')}>
          <Select
            aria-label={t('source.afterOutage')}
            value={draft.afterOutage}
            options={outageRule.options.map((value) => ({ value, label: t(`source.outage.${value}`) }))}
            onChange={(value) => put('afterOutage', value)}
          />
        </Field>
        <Button
          type="primary"
          disabled={!parsed.success}
          loading={save.isPending}
          data-testid="source-save"
          onClick={() =>
            parsed.data &&
            save.mutate({
              node,
              settings: parsed.data,
              ...(source && { id: source.id, version: source.version }),
            })
          }
        >
          {t('save')}
        </Button>
      </div>
    </SideDrawer>
  )
}
