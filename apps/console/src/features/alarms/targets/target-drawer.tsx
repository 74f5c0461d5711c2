import { alarmKindNames, alarmSeverity } from '@isotherm/contract/alarm-kinds'
import { type AlarmTarget, SIGNATURE_HEADER } from '@isotherm/contract/alarms'
import { addAlarmTarget, editAlarmTarget } from '@isotherm/contract/endpoints/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { Alert, Button, Drawer, Input, Select, Switch } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import { useIsMobile } from '../../../shared/ui/use-width.ts'
import styles from '../alarms.module.css'
import form from '../form.module.css'
import { NodePicker } from '../node-picker.tsx'
import { useDeed } from '../use-deed.ts'
import {
  listFaults,
  SECRET_BYTES,
  type TargetDraft,
  type TargetField,
  toSecret,
  toTargetDraft,
} from './target-draft.ts'

/** A target in the form; without one a new one. */
export interface EditedTarget {
  readonly target: AlarmTarget | undefined
}

interface TargetDrawerProps {
  /** Absent while the drawer is closed. */
  readonly edited: EditedTarget | undefined
  readonly onClose: () => void
}

const WIDTH_PX = 460

/** Adds an address that is told of alarms, or changes one. */
export function TargetDrawer({ edited, onClose }: TargetDrawerProps) {
  const { t } = useTranslation('alarms')
  const isMobile = useIsMobile()
  return (
    <Drawer
      open={edited !== undefined}
      onClose={onClose}
      title={t(edited?.target ? 'target.editTitle' : 'target.addTitle')}
      size={isMobile ? '100%' : WIDTH_PX}
      destroyOnHidden
    >
      {edited && <TargetForm key={edited.target?.id ?? 'new'} edited={edited} onClose={onClose} />}
    </Drawer>
  )
}

interface Saved {
  readonly target: AlarmTarget | undefined
  readonly node: NodeKey | undefined
  readonly draft: TargetDraft
}

async function save({ target, node, draft }: Saved): Promise<void> {
  const fields = {
    ...{ name: draft.name.trim(), url: draft.url.trim(), enabled: draft.enabled },
    ...{ severities: [...draft.severities], kinds: [...draft.kinds] },
  }
  const secret = draft.secret === '' ? {} : { secret: draft.secret }
  if (target) await call(editAlarmTarget, { id: target.id, version: target.version, ...fields, ...secret })
  else if (node !== undefined) await call(addAlarmTarget, { node, ...fields, secret: draft.secret })
}

const newSecret = (): string => toSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

function TargetForm({
  edited: { target },
  onClose,
}: {
  readonly edited: EditedTarget
  readonly onClose: () => void
}) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const [draft, setDraft] = useState(() => toTargetDraft(target, newSecret()))
  const [node, setNode] = useState<NodeKey | undefined>(target?.node)
  const [saved, setSaved] = useState(false)
  const faults = listFaults(draft, target === undefined)
  const saving = useDeed(save, {
    showsRefusal: true,
    onDone() {
      showNotice('success', t('target.saved'))
      if (draft.secret === '') onClose()
      else setSaved(true)
    },
  })
  if (saved) return <SavedSecret secret={draft.secret} onClose={onClose} />
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate({ target, node, draft })
      }}
    >
      {target ? (
        <p className={styles.intro}>{toWholeAddress(target.nestaddr)}</p>
      ) : (
        <Field label={t('target.node')} htmlFor={`${id}-node`} hint={t('target.nodeHint')}>
          <NodePicker id={`${id}-node`} value={node} onNode={setNode} />
        </Field>
      )}
      <TargetFields draft={draft} faults={faults} isNew={target === undefined} onDraft={setDraft} />
      {saving.error && <Alert type="error" showIcon title={toFailureText(saving.error)} />}
      <div className={form.formEnd}>
        <Button onClick={onClose}>{t('deed.cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={saving.isPending}
          disabled={faults.length > 0 || node === undefined}
          data-testid="target-save"
        >
          {t('target.save')}
        </Button>
      </div>
    </form>
  )
}

interface TargetFieldsProps {
  readonly draft: TargetDraft
  readonly faults: readonly TargetField[]
  readonly isNew: boolean
  readonly onDraft: (draft: TargetDraft) => void
}

function TargetFields({ draft, faults, isNew, onDraft }: TargetFieldsProps) {
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

interface FieldProps {
  readonly label: string
  readonly htmlFor: string
  readonly hint?: string
  readonly fault?: string | undefined
  readonly children: ReactNode
}

function Field({ label, htmlFor, hint, fault, children }: FieldProps) {
  return (
    <div className={form.field}>
      <label htmlFor={htmlFor}>{label}</label>
      {children}
      {fault !== undefined && <small className={form.wrong}>{fault}</small>}
      {hint !== undefined && <small className={styles.meta}>{hint}</small>}
    </div>
  )
}

/** The secret that was just saved: the server tells it to nobody, so this is when it can be noted. */
function SavedSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { t } = useTranslation('alarms')
  return (
    <div className={form.form}>
      <Alert type="success" showIcon title={t('target.savedSecret')} />
      <Input
        readOnly
        value={secret}
        aria-label={t('target.secret')}
        onFocus={(event) => event.target.select()}
        data-testid="target-secret"
      />
      <div className={form.formEnd}>
        <Button type="primary" onClick={onClose}>
          {t('target.close')}
        </Button>
      </div>
    </div>
  )
}
