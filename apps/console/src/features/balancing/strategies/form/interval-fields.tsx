import { balanceMethod } from '@isotherm/contract/balancing/balance-method'
import { Checkbox, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'
import { TimeSelect } from '../../../../shared/week/time-select.tsx'
import field from '../../fields/field.module.css'
import { NumberField } from '../../fields/number-field.tsx'
import { KeepPumpField } from '../../start/keep-pump-field.tsx'
import { targets } from '../../start/mode-draft.ts'
import { planBounds } from '../plan-bounds.ts'
import type { PlanDraft } from '../plan-draft.ts'
import styles from '../strategy.module.css'
import { DAY_MINUTES } from '../week/week-slots.ts'
import { SupplyFields } from './supply-fields.tsx'

const methods = balanceMethod.options

interface DraftProps {
  readonly draft: PlanDraft
  readonly onChange: (part: Partial<PlanDraft>) => void
}

/** Fields of a strategy that checks at intervals and balances outside its dead band. */
export function IntervalFields({ draft, onChange }: DraftProps) {
  const { t } = useTranslation('balancing')
  return (
    <>
      {draft.kind === 'temperature' && (
        <div className={field.field}>
          <span>{t('start.target')}</span>
          <Segmented
            aria-label={t('start.target')}
            value={draft.target}
            options={targets.map((each) => ({ value: each, label: t(`start.targets.${each}`) }))}
            onChange={(target) => onChange({ target })}
          />
          <small>{t(`start.targetHints.${draft.target}`)}</small>
        </div>
      )}
      {draft.kind === 'temperature' && draft.target === 'return' && (
        <>
          <MethodField draft={draft} onChange={onChange} />
          {draft.method === 'model' && <SlowTrimField draft={draft} onChange={onChange} />}
        </>
      )}
      {draft.kind === 'energy' && <LineFields draft={draft} onChange={onChange} />}
      <div className={styles.fields}>
        {draft.kind === 'flow' && (
          <NumberField
            label={t('strategy.form.flow')}
            unit="kg/(h·m²)"
            hint={t('strategy.form.flowHint')}
            bounds={planBounds.flowKgHM2}
            placeholder={t('strategy.form.flowEmpty')}
            value={draft.flowKgHM2}
            onValue={(flowKgHM2) => onChange({ flowKgHM2 })}
          />
        )}
        {draft.kind === 'temperature' ? (
          <NumberField
            label={t('strategy.form.startAboveK')}
            unit="K"
            hint={t('strategy.form.startAboveKHint')}
            bounds={planBounds.startAboveK}
            isNeeded
            value={draft.startAboveK}
            onValue={(startAboveK) => onChange({ startAboveK })}
          />
        ) : (
          <NumberField
            label={t('strategy.form.startAbovePct')}
            unit="%"
            hint={t('strategy.form.startAbovePctHint')}
            bounds={planBounds.startAbovePct}
            isNeeded
            value={draft.startAbovePct}
            onValue={(startAbovePct) => onChange({ startAbovePct })}
          />
        )}
        <NumberField
          label={t('strategy.form.everyHours')}
          unit={t('strategy.form.hoursUnit')}
          hint={t('strategy.form.everyHoursHint')}
          bounds={planBounds.everyHours}
          isNeeded
          value={draft.everyHours}
          onValue={(everyHours) => onChange({ everyHours })}
        />
        <NumberField
          label={t('strategy.form.trims')}
          unit={t('strategy.form.trimsUnit')}
          hint={t('strategy.form.trimsHint')}
          bounds={planBounds.trims}
          isWhole
          isNeeded
          value={draft.trims}
          onValue={(trims) => onChange({ trims })}
        />
      </div>
      <KeepPumpField isLeft={draft.keepsPump} onKeep={(keepsPump) => onChange({ keepsPump })} />
      <HoursField draft={draft} onChange={onChange} />
      {draft.kind === 'energy' && <SupplyFields draft={draft} onChange={onChange} />}
    </>
  )
}

/** Choice of the method. */
function MethodField({ draft: { method }, onChange }: DraftProps) {
  const { t } = useTranslation('balancing')
  return (
    <div className={field.field}>
      <span>{t('strategy.form.method')}</span>
      <Segmented
        aria-label={t('strategy.form.method')}
        data-testid="strategy-method"
        value={method}
        options={methods.map((each) => ({ value: each, label: t(`strategy.method.${each}`) }))}
        onChange={(chosen) => onChange({ method: chosen })}
      />
      <small>{t(`strategy.methodHint.${method}`)}</small>
    </div>
  )
}

/** Switch for the slow trim of drifting valves between balancing campaigns. */
function SlowTrimField({ draft: { slowTrim }, onChange }: DraftProps) {
  const { t } = useTranslation('balancing')
  return (
    <div className={field.field}>
      <Checkbox
        data-testid="strategy-slow-trim"
        checked={slowTrim}
        onChange={({ target }) => onChange({ slowTrim: target.checked })}
      >
        {t('strategy.form.slowTrim')}
      </Checkbox>
      <small>{t('strategy.form.slowTrimHint')}</small>
    </div>
  )
}

/** The two points of the heating curve. */
function LineFields({ draft, onChange }: DraftProps) {
  const { t } = useTranslation('balancing')
  const isUpsideDown =
    draft.cold.outdoorC !== null && draft.mild.outdoorC !== null && draft.cold.outdoorC >= draft.mild.outdoorC
  return (
    <fieldset className={styles.part}>
      <legend>{t('strategy.form.line')}</legend>
      <p className={styles.hint}>{t('strategy.form.lineHint')}</p>
      {(['cold', 'mild'] as const).map((end) => (
        <div key={end} className={styles.fields}>
          <NumberField
            label={`${t(`strategy.form.${end}`)} · ${t('strategy.form.outdoor')}`}
            unit="°C"
            hint=""
            bounds={planBounds.outdoorC}
            isNeeded
            value={draft[end].outdoorC}
            onValue={(outdoorC) => onChange({ [end]: { ...draft[end], outdoorC } })}
          />
          <NumberField
            label={`${t(`strategy.form.${end}`)} · ${t('strategy.form.heat')}`}
            unit="W/m²"
            hint=""
            bounds={planBounds.heatWM2}
            isNeeded
            value={draft[end].heatWM2}
            onValue={(heatWM2) => onChange({ [end]: { ...draft[end], heatWM2 } })}
          />
        </div>
      ))}
      {isUpsideDown && (
        <div className={field.field}>
          <small className={field.wrong} role="alert">
            {t('strategy.form.lineWrong')}
          </small>
        </div>
      )}
    </fieldset>
  )
}

const WHOLE_NIGHT = { fromMinute: 22 * 60, toMinute: 5 * 60 } as const

/** Allowed hours; empty for any hour. */
function HoursField({ draft: { hours }, onChange }: DraftProps) {
  const { t } = useTranslation('balancing')
  return (
    <div className={field.field}>
      <div className={styles.line}>
        <Checkbox
          checked={hours !== undefined}
          onChange={({ target }) => onChange({ hours: target.checked ? WHOLE_NIGHT : undefined })}
        >
          {t('strategy.form.hours')}
        </Checkbox>
        {hours && (
          <span className={styles.span}>
            <TimeSelect
              label={t('week.from')}
              testId="hours-from"
              value={hours.fromMinute}
              min={0}
              max={DAY_MINUTES - STEP_MINUTES}
              onValue={(fromMinute) => onChange({ hours: { ...hours, fromMinute } })}
            />
            <span aria-hidden>–</span>
            <TimeSelect
              label={t('week.to')}
              testId="hours-to"
              value={hours.toMinute}
              min={STEP_MINUTES}
              max={DAY_MINUTES}
              onValue={(toMinute) => onChange({ hours: { ...hours, toMinute } })}
            />
          </span>
        )}
      </div>
      {hours && <small>{t('strategy.form.hoursHint')}</small>}
    </div>
  )
}
