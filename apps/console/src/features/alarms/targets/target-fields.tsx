import { alarmKindNames, alarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import { SIGNATURE_HEADER } from '@isotherm/contract/alarms/alarms'
import {
  MAX_ESCALATION_MIN,
  type NoticeChannel,
  noticeChannel,
  noticeLanguage,
} from '@isotherm/contract/alarms/notice-channels'
import { Button, Input, InputNumber, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { DutyFields } from './duty-fields.tsx'
import { ReportFields } from './report-fields.tsx'
import { hasSecret, newSecret, type TargetDraft, type TargetField } from './target-draft.ts'

interface TargetFieldsProps {
  readonly draft: TargetDraft
  readonly faults: readonly TargetField[]
  readonly isNew: boolean
  readonly onDraft: (draft: TargetDraft) => void
}

const toAddressKind = (channel: NoticeChannel): 'url' | 'sms' | 'mail' =>
  channel === 'sms' || channel === 'mail' ? channel : 'url'

/** The fields of a receiver, each with its error. */
export function TargetFields({ draft, faults, isNew, onDraft }: TargetFieldsProps) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const id = useId()
  const { channel } = draft
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
      <Field label={t('target.channel')} htmlFor={`${id}-channel`} hint={t(`channelHint.${channel}`)}>
        <Select
          id={`${id}-channel`}
          value={channel}
          disabled={!isNew}
          options={noticeChannel.options.map((value) => ({ value, label: t(`channel.${value}`) }))}
          onChange={(value) =>
            change({ channel: value, url: '', secret: value === 'webhook' ? newSecret() : '' })
          }
        />
      </Field>
      <Field
        label={t(`address.${toAddressKind(channel)}`)}
        htmlFor={`${id}-url`}
        hint={t(`addressHint.${toAddressKind(channel)}`)}
        fault={wrong('url', draft.url !== '', t(`addressFault.${toAddressKind(channel)}`))}
      >
        <Input
          id={`${id}-url`}
          value={draft.url}
          maxLength={500}
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
      {channel !== 'webhook' && (
        <Field label={t('target.language')} htmlFor={`${id}-language`}>
          <Select
            id={`${id}-language`}
            value={draft.language}
            options={noticeLanguage.options.map((value) => ({ value, label: t(`language.${value}`) }))}
            onChange={(language) => change({ language })}
          />
        </Field>
      )}
      <Field label={t('target.afterMin')} htmlFor={`${id}-after`} hint={t('target.afterHint')}>
        <InputNumber<number>
          id={`${id}-after`}
          min={0}
          max={MAX_ESCALATION_MIN}
          precision={0}
          value={draft.afterMin}
          onChange={(value) => change({ afterMin: value ?? 0 })}
        />
      </Field>
      <DutyFields
        duty={draft.duty}
        fault={wrong('duty', true, t('duty.fault'))}
        onDuty={(duty) => change({ duty })}
      />
      <ReportFields report={draft.report} onReport={(report) => change({ report })} />
      {hasSecret(channel) && (
        <Field
          label={t('target.secret')}
          htmlFor={`${id}-secret`}
          hint={
            !isNew
              ? t('target.secretKeep')
              : channel === 'webhook'
                ? t('target.secretHint', { header: SIGNATURE_HEADER })
                : t('target.robotSecret')
          }
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
          {channel === 'webhook' && (
            <Button size="small" onClick={() => change({ secret: newSecret() })}>
              {t('target.generate')}
            </Button>
          )}
        </Field>
      )}
      <div className={form.switch}>
        <Switch id={`${id}-enabled`} checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
        <label htmlFor={`${id}-enabled`}>{t('target.enabled')}</label>
      </div>
    </>
  )
}
