import {
  type AlarmKind,
  alarmKindDefinition,
  alarmKindNames,
  alarmSeverity,
  hasThresholds,
} from '@isotherm/contract/alarms/alarm-kinds'
import { Segmented, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { NumberField } from '../../../shared/form/number-field.tsx'
import { findUnit } from '../parts/alarm-value.ts'
import styles from '../parts/alarms.module.css'
import { checkDraft, listDeviceChoices, type RuleDraft, type RuleField } from './rule-draft.ts'
import type { PartProps, RuleFieldsProps } from './rule-props.ts'
import { Hours, Season } from './rule-times.tsx'

interface KindFieldProps {
  readonly kind: AlarmKind
  readonly onKind: (kind: AlarmKind) => void
}

/** Chooses the alarm kind of a new rule. */
export function KindField({ kind, onKind }: KindFieldProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  return (
    <Field label={t('rule.kind')} htmlFor={id}>
      <Select
        id={id}
        value={kind}
        options={alarmKindNames.map((value) => ({ value, label: t(`kind.${value}`) }))}
        onChange={onKind}
      />
    </Field>
  )
}

/** The fields of a rule, each with its error. */
export function RuleFields({ draft, onDraft }: RuleFieldsProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const faults = checkDraft(draft)
  const change = (part: Partial<RuleDraft>) => onDraft({ ...draft, ...part })
  const faultOf = (field: RuleField): string | undefined => faults[field] && t(`fault.${faults[field]}`)
  return (
    <>
      <div className={form.switch}>
        <Switch id={`${id}-enabled`} checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
        <label htmlFor={`${id}-enabled`}>
          {t('rule.enabled')} <small className={styles.meta}>{t('rule.enabledHint')}</small>
        </label>
      </div>
      <Devices draft={draft} onDraft={onDraft} />
      <Field label={t('rule.severity')}>
        <Segmented
          aria-label={t('rule.severity')}
          value={draft.severity}
          options={alarmSeverity.options.map((value) => ({
            value,
            label: t(`alarm.severity.${value}`, { ns: 'common' }),
          }))}
          onChange={(severity) => change({ severity })}
        />
      </Field>
      {hasThresholds(draft.kind) && <Thresholds draft={draft} onDraft={onDraft} faultOf={faultOf} />}
      <div className={form.pair}>
        <NumberField
          label={t('rule.raiseAfter')}
          value={draft.raiseAfterMin}
          fault={faultOf('raiseAfter')}
          min={0}
          onValue={(raiseAfterMin) => change({ raiseAfterMin })}
        />
        <NumberField
          label={t('rule.clearAfter')}
          value={draft.clearAfterMin}
          fault={faultOf('clearAfter')}
          min={0}
          onValue={(clearAfterMin) => change({ clearAfterMin })}
        />
      </div>
      <Season draft={draft} onDraft={onDraft} faultOf={faultOf} />
      <Hours draft={draft} onDraft={onDraft} faultOf={faultOf} />
    </>
  )
}

function Devices({ draft, onDraft }: RuleFieldsProps) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const id = useId()
  const choices = listDeviceChoices(draft.kind)
  if (choices.length === 0) return null
  return (
    <Field label={t('rule.devices')} htmlFor={id}>
      <Select
        id={id}
        mode="multiple"
        placeholder={t('rule.devicesAll')}
        value={[...draft.deviceKinds]}
        options={choices.map((value) => ({ value, label: tCommon(`deviceKind.${value}`) }))}
        onChange={(deviceKinds) => onDraft({ ...draft, deviceKinds })}
      />
    </Field>
  )
}

function Thresholds({ draft, onDraft, faultOf }: PartProps) {
  const { t } = useTranslation('alarms')
  const isAbove = alarmKindDefinition(draft.kind).source.when === 'above'
  const unit = findUnit(draft.kind)
  return (
    <div className={form.pair}>
      <NumberField
        label={t(isAbove ? 'rule.raiseAbove' : 'rule.raiseBelow')}
        unit={unit}
        value={draft.raiseAt}
        fault={faultOf('raiseAt')}
        testId="rule-raise-at"
        onValue={(raiseAt) => onDraft({ ...draft, raiseAt })}
      />
      <NumberField
        label={t(isAbove ? 'rule.clearAbove' : 'rule.clearBelow')}
        unit={unit}
        value={draft.clearAt}
        fault={faultOf('clearAt')}
        testId="rule-clear-at"
        onValue={(clearAt) => onDraft({ ...draft, clearAt })}
      />
    </div>
  )
}
