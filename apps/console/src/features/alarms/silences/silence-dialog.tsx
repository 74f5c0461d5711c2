import { addAlarmSilence } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Input, Modal, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { toLocalInput } from '../../../shared/format/local-input.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { InstantInput } from '../../../shared/inputs/instant-input.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { maySilenceQuery } from '../calls/rule-queries.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import { closeSilenceDialog, type NodeToSilence, useSilenceDialog } from './silence-store.ts'
import { isUntil, toUntil, type UntilPreset, untilPresets } from './until.ts'

/** The dialog that silences a node until a time, with a reason. Opened from the alarms page and the tree menu. */
export default function SilenceDialog() {
  const { t } = useTranslation('alarms')
  const { open, node } = useSilenceDialog()
  return (
    <Modal open={open} title={t('silence.title')} footer={null} onCancel={closeSilenceDialog} destroyOnHidden>
      <SilenceForm node={node} />
    </Modal>
  )
}

const silenceNode = (input: { readonly node: NodeKey; readonly until: number; readonly reason: string }) =>
  call(addAlarmSilence, input)

function SilenceForm({ node }: { readonly node: NodeToSilence | undefined }) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const id = useId()
  const now = useNow(1)
  const [key, setKey] = useState<NodeKey | undefined>(node?.key)
  const [preset, setPreset] = useState<UntilPreset | undefined>('4h')
  const [typed, setTyped] = useState(() => toLocalInput(toUntil('4h', now)))
  const [reason, setReason] = useState('')
  const until = preset === undefined ? Date.parse(typed) : toUntil(preset, now)
  const isGood = isUntil(until, now)
  const maySilence = useQuery({ ...maySilenceQuery(key ?? ROOT_KEY), enabled: key !== undefined })
  const silence = useAlarmMutation(silenceNode, {
    showsRefusal: true,
    onDone(done) {
      showNotice('success', t('silence.done', { instant: format.instant(done.until) }))
      closeSilenceDialog()
    },
  })
  const choose = (next: UntilPreset) => {
    setPreset(next)
    setTyped(toLocalInput(toUntil(next, now)))
  }
  return (
    <ActionForm
      submit={t('silence.submit')}
      isReady={key !== undefined && maySilence.data !== false && isGood && reason.trim() !== ''}
      busy={silence.isPending}
      error={silence.error}
      testId="silence-submit"
      onSubmit={() => {
        if (key !== undefined) silence.mutate({ node: key, until, reason: reason.trim() })
      }}
      onCancel={closeSilenceDialog}
    >
      <p className={styles.hint}>{t('silence.hint')}</p>
      {node ? (
        <Field label={t('silence.node')}>
          <strong data-testid="silence-node">{t('silence.of', { name: node.name })}</strong>
        </Field>
      ) : (
        <Field
          label={t('silence.node')}
          htmlFor={`${id}-node`}
          fault={maySilence.data === false ? t('silence.notYours') : undefined}
        >
          <NodePicker id={`${id}-node`} value={key} onNode={setKey} />
        </Field>
      )}
      <Field label={t('silence.until')} fault={isGood ? undefined : t('silence.badUntil')}>
        <Segmented<UntilPreset | ''>
          aria-label={t('silence.until')}
          value={preset ?? ''}
          options={untilPresets.map((value) => ({ value, label: t(`silence.preset.${value}`) }))}
          onChange={(next) => {
            if (next !== '') choose(next)
          }}
        />
        <InstantInput
          step={1}
          aria-label={t('silence.untilLabel')}
          value={preset === undefined ? typed : toLocalInput(until)}
          onValue={(value) => {
            setPreset(undefined)
            setTyped(value)
          }}
        />
      </Field>
      <Field label={t('silence.reason')} htmlFor={`${id}-reason`}>
        <Input
          id={`${id}-reason`}
          value={reason}
          maxLength={200}
          placeholder={t('silence.reasonPlaceholder')}
          data-testid="silence-reason"
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </ActionForm>
  )
}
