import { alarmKindNames, alarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import { SIGNATURE_HEADER } from '@isotherm/contract/alarms/alarms'
import { Button, Input, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { newSecret, type TargetDraft, type TargetField } from './target-draft.ts'

interface TargetFieldsProps {
  readonly draft: TargetDraft
  readonly faults: readonly TargetField[]
  readonly isNew: boolean
  readonly onDraft: (draft: TargetDraft) => void
}

/** The fields of a webhook, each with its error. */
export function TargetFields({ draft, faults, isNew, onDraft }: TargetFieldsProps) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const id = useId()
  const change = (part: Partial<TargetDraft>) => onDraft({ ...draft, ...part })
  const wrong = (field: TargetField, isTouched: boolean, text: string) =>
    isTouched && faults.includes(field) ? text : undefined
  return (
    <>
      <Field label={t('target.name')} htmlFor={`${id}-name`}>
        <Input
          id={`${id}-name`}
          value={draft.name}
          maxLength={60}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field
        label={t('target.url')}
        htmlFor={`${id}-url`}
        hint={t('target.urlHint')}
        fault={wrong('url', draft.url !== '', t('target.badUrl'))}
      >
        <Input
          id={`${id}-url`}
          value={draft.url}
          maxLength={500}
          inputMode="url"
          placeholder="https://"
          onChange={(event) => change({ url: event.target.value })}
        />
      </Field>
      <Field label={t('target.severities')} htmlFor={`${id}-severities`}>
        <Select
          id={`${id}-severities`}
          mode="multiple"
          placeholder={t('target.any')}
          value={[...draft.severities]}
          options={alarmSeverity.options.map((value) => ({
            value,
            label: tCommon(`alarm.severity.${value}`),
          }))}
          onChange={(severities) => change({ severities })}
        />
      </Field>
      <Field label={t('target.kinds')} htmlFor={`${id}-kinds`}>
        <Select
          id={`${id}-kinds`}
          mode="multiple"
          placeholder={t('target.any')}
          value={[...draft.kinds]}
          options={alarmKindNames.map((value) => ({ value, label: t(`kind.${value}`) }))}
          onChange={(kinds) => change({ kinds })}
        />
      </Field>
      <Field
        label={t('target.secret')}
        htmlFor={`${id}-secret`}
        hint={isNew ? t('target.secretHint', { header: SIGNATURE_HEADER }) : t('target.secretKeep')}
        fault={wrong('secret', draft.secret !== '' || isNew, t('target.secretShort'))}
      >
        <Input
          id={`${id}-secret`}
          value={draft.secret}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ secret: event.target.value })}
        />
        <Button size="small" onClick={() => change({ secret: newSecret() })}>
          {t('target.generate')}
        </Button>
      </Field>
      <div className={form.switch}>
        <Switch id={`${id}-enabled`} checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
        <label htmlFor={`${id}-enabled`}>{t('target.enabled')}</label>
      </div>
    </>
  )
}
