import { Checkbox, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import form from '../../../shared/form/form.module.css'
import { NumberField } from '../../../shared/form/number-field.tsx'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import styles from '../parts/alarms.module.css'
import type { PartProps } from './rule-props.ts'

const night = { from: 22, to: 6 }

/** First and last day of the season of a rule. */
export function Season({ draft, onDraft, faultOf }: PartProps) {
  const { t } = useTranslation('alarms')
  const { season } = draft
  const { first, last } = useConsoleSettings().heatingSeason
  const heatingSeason = { from: first, to: last }
  const fault = faultOf('season')
  const day = (name: 'from' | 'to', label: string) =>
    season && (
      <Input
        className={form.day ?? ''}
        value={season[name]}
        maxLength={5}
        placeholder={heatingSeason[name]}
        status={fault === undefined ? '' : 'error'}
        aria-label={label}
        aria-invalid={fault !== undefined}
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
      {fault !== undefined && (
        <small className={form.wrong} role="alert">
          {fault}
        </small>
      )}
    </div>
  )
}

/** First and last hour of the day of a rule. */
export function Hours({ draft, onDraft, faultOf }: PartProps) {
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
            value={hours.from}
            min={0}
            max={23}
            whole={true}
            onValue={(from) => onDraft({ ...draft, hours: { ...hours, from } })}
          />
          <NumberField
            label={t('rule.hoursTo')}
            value={hours.to}
            min={1}
            max={24}
            whole={true}
            onValue={(to) => onDraft({ ...draft, hours: { ...hours, to } })}
          />
        </div>
      )}
      {fault !== undefined && (
        <small className={form.wrong} role="alert">
          {fault}
        </small>
      )}
    </div>
  )
}
