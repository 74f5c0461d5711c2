import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { NodeKey } from '@isotherm/contract/tree'
import { Checkbox, Input, Segmented } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import field from '../../fields/field.module.css'
import { NumberField } from '../../fields/number-field.tsx'
import { planBounds } from '../plan-bounds.ts'
import { type GroupDraft, type PreheatDraft, usualPreheat } from '../plan-draft.ts'
import styles from '../strategy.module.css'
import { LevelField } from '../week/level-field.tsx'
import { WeekEditor } from '../week/week-editor.tsx'
import { PlaceSelect } from './place-select.tsx'
import type { Place } from './places.ts'
import { toLevelKind } from './to-level-kind.ts'

const MAX_NAME = 60

interface GroupFieldsProps {
  readonly group: GroupDraft
  readonly places: readonly Place[]
  /** Places of the other groups. */
  readonly taken: readonly NodeKey[]
  readonly onChange: (part: Partial<GroupDraft>) => void
}

/** Fields of one group of a sequence, including its week. */
export function GroupFields({ group, places, taken, onChange }: GroupFieldsProps) {
  const { t } = useTranslation('balancing')
  const id = useId()
  const { name, nodes, base, slots, shiftMinutes, preheat } = group
  return (
    <div className={styles.form} data-testid="group-fields">
      <div className={styles.fields}>
        <div className={field.field}>
          <label htmlFor={id}>{t('strategy.form.groupName')}</label>
          <Input
            id={id}
            value={name}
            maxLength={MAX_NAME}
            status={name.trim() === '' ? 'error' : ''}
            data-testid="group-name"
            onChange={({ target }) => onChange({ name: target.value })}
          />
        </div>
        <NumberField
          label={t('strategy.form.shift')}
          unit={t('strategy.form.minutesUnit')}
          hint={t('strategy.form.shiftHint')}
          bounds={planBounds.shiftMinutes}
          isWhole
          isNeeded
          value={shiftMinutes}
          onValue={(minutes) => onChange({ shiftMinutes: minutes })}
        />
      </div>
      <PlaceSelect
        places={places}
        taken={taken}
        chosen={nodes}
        onChosen={(chosen) => onChange({ nodes: [...chosen] })}
      />
      <div className={styles.line}>
        <span>{t('strategy.form.levelKind')}</span>
        <Segmented<SlotLevel['kind']>
          aria-label={t('strategy.form.levelKind')}
          data-testid="group-level-kind"
          value={base.kind}
          options={(['flow', 'room'] as const).map((kind) => ({
            value: kind,
            label: t(`strategy.form.levelKinds.${kind}`),
          }))}
          onChange={(kind) =>
            onChange({
              base: toLevelKind(base, kind),
              slots: slots.map((slot) => ({ ...slot, level: toLevelKind(slot.level, kind) })),
            })
          }
        />
        <span>{t('strategy.form.base')}</span>
        <LevelField
          label={t('strategy.form.base')}
          testId="group-base"
          level={base}
          onLevel={(level) => onChange({ base: level })}
        />
      </div>
      <fieldset className={styles.part}>
        <legend>{t('strategy.form.week')}</legend>
        <WeekEditor week={slots} between={base} onWeek={(week) => onChange({ slots: [...week] })} />
      </fieldset>
      <Checkbox
        checked={preheat !== undefined}
        data-testid="group-preheat"
        onChange={({ target }) => onChange({ preheat: target.checked ? usualPreheat : undefined })}
      >
        {t('strategy.form.preheat')}
      </Checkbox>
      {preheat && <PreheatFields preheat={preheat} onPreheat={(changed) => onChange({ preheat: changed })} />}
    </div>
  )
}

interface PreheatFieldsProps {
  readonly preheat: PreheatDraft
  readonly onPreheat: (preheat: PreheatDraft) => void
}

function PreheatFields({ preheat, onPreheat }: PreheatFieldsProps) {
  const { t } = useTranslation('balancing')
  const hours = t('strategy.form.hoursUnit')
  const fields = [
    { key: 'wantedC', text: 'wanted', unit: '°C' },
    { key: 'boostedC', text: 'boosted', unit: '°C' },
    { key: 'maxHours', text: 'maxHours', unit: hours },
    { key: 'timeConstantH', text: 'tau', unit: hours },
  ] as const
  return (
    <>
      <p className={styles.hint}>{t('strategy.form.preheatHint')}</p>
      <div className={styles.fields}>
        {fields.map(({ key, text, unit }) => (
          <NumberField
            key={key}
            label={t(`strategy.form.${text}`)}
            unit={unit}
            hint={t(`strategy.form.${text}Hint`)}
            bounds={planBounds[key]}
            isNeeded={key !== 'timeConstantH'}
            placeholder={key === 'timeConstantH' ? t('strategy.form.tauEmpty') : ''}
            value={preheat[key]}
            onValue={(value) => onPreheat({ ...preheat, [key]: value })}
          />
        ))}
      </div>
    </>
  )
}
