import {
  type AlarmKind,
  alarmKindDefinition,
  alarmKindNames,
  alarmSeverity,
  hasThresholds,
} from '@isotherm/contract/alarm-kinds'
import { Checkbox, InputNumber, Segmented, Select, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { findUnit } from '../alarm-value.ts'
import styles from '../alarms.module.css'
import form from '../form.module.css'
import { checkDraft, listDeviceChoices, type RuleDraft, type RuleField } from './rule-draft.ts'

interface KindFieldProps {
  readonly kind: AlarmKind
  readonly onKind: (kind: AlarmKind) => void
}

/** Which alarm a new rule is for. */
export function KindField({ kind, onKind }: KindFieldProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  return (
    <div className={form.field}>
      <label htmlFor={id}>{t('rule.kind')}</label>
      <Select
        id={id}
        value={kind}
        options={alarmKindNames.map((value) => ({ value, label: t(`kind.${value}`) }))}
        onChange={onKind}
      />
    </div>
  )
}

interface RuleFieldsProps {
  readonly draft: RuleDraft
  readonly onDraft: (draft: RuleDraft) => void
}

/** Everything of a rule that may be changed, each field with what is wrong with it. */
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
      <div className={form.field}>
        <span>{t('rule.severity')}</span>
        <Segmented
          aria-label={t('rule.severity')}
          value={draft.severity}
          options={alarmSeverity.options.map((value) => ({
            value,
            label: t(`alarm.severity.${value}`, { ns: 'common' }),
          }))}
          onChange={(severity) => change({ severity })}
        />
      </div>
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

interface PartProps extends RuleFieldsProps {
  readonly faultOf: (field: RuleField) => string | undefined
}

function Devices({ draft, onDraft }: RuleFieldsProps) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const id = useId()
  const choices = listDeviceChoices(draft.kind)
  if (choices.length === 0) return null
  return (
    <div className={form.field}>
      <label htmlFor={id}>{t('rule.devices')}</label>
      <Select
        id={id}
        mode="multiple"
        placeholder={t('rule.devicesAll')}
        value={[...draft.deviceKinds]}
        options={choices.map((value) => ({ value, label: tCommon(`deviceKind.${value}`) }))}
        onChange={(deviceKinds) => onDraft({ ...draft, deviceKinds })}
      />
    </div>
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

const heatingSeason = { from: '11-15', to: '03-15' }
const night = { from: 22, to: 6 }

function Season({ draft, onDraft, faultOf }: PartProps) {
  const { t } = useTranslation('alarms')
  const { season } = draft
  const fault = faultOf('season')
  const day = (name: 'from' | 'to', label: string) =>
    season && (
      <input
        className={form.instant}
        value={season[name]}
        maxLength={5}
        placeholder={heatingSeason[name]}
        aria-label={label}
        title={label}
        onChange={(event) => onDraft({ ...draft, season: { ...season, [name]: event.target.value } })}
      />
    )
  return (
    <div className={form.field}>
      <Checkbox
        checked={season !== null}
        onChange={({ target }) => onDraft({ ...draft, season: target.checked ? heatingSeason : null })}
      >
        {t('rule.season')}
      </Checkbox>
      {season && (
        <span className={styles.span}>
          {day('from', t('rule.seasonFrom'))} – {day('to', t('rule.seasonTo'))}
        </span>
      )}
      {fault !== undefined && <small className={form.wrong}>{fault}</small>}
    </div>
  )
}

function Hours({ draft, onDraft, faultOf }: PartProps) {
  const { t } = useTranslation('alarms')
  const { hours } = draft
  const fault = faultOf('hours')
  return (
    <div className={form.field}>
      <Checkbox
        checked={hours !== null}
        onChange={({ target }) => onDraft({ ...draft, hours: target.checked ? night : null })}
      >
        {t('rule.hours')}
      </Checkbox>
      {hours && (
        <div className={form.pair}>
          <NumberField
            label={t('rule.hoursFrom')}
            {...{ value: hours.from, min: 0, max: 23, whole: true }}
            onValue={(from) => onDraft({ ...draft, hours: { ...hours, from } })}
          />
          <NumberField
            label={t('rule.hoursTo')}
            {...{ value: hours.to, min: 1, max: 24, whole: true }}
            onValue={(to) => onDraft({ ...draft, hours: { ...hours, to } })}
          />
        </div>
      )}
      {fault !== undefined && <small className={form.wrong}>{fault}</small>}
    </div>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: number | null
  readonly onValue: (value: number | null) => void
  readonly unit?: string | undefined
  readonly fault?: string | undefined
  readonly min?: number
  readonly max?: number
  readonly whole?: boolean
  readonly testId?: string
}

function NumberField(props: NumberFieldProps): ReactNode {
  const { label, value, onValue, unit, fault, testId, min = -1_000_000, max = 1_000_000, whole } = props
  const id = useId()
  return (
    <div className={form.field}>
      <label htmlFor={id}>{label}</label>
      <InputNumber
        id={id}
        className={form.wide ?? ''}
        {...{ value, min, max, ...(whole && { precision: 0 }), ...(unit !== undefined && { suffix: unit }) }}
        status={fault === undefined ? '' : 'error'}
        data-testid={testId}
        onChange={onValue}
      />
      {fault !== undefined && <small className={form.wrong}>{fault}</small>}
    </div>
  )
}
