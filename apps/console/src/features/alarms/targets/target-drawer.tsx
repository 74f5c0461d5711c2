import type { AlarmTarget } from '@isotherm/contract/alarms/alarms'
import { addAlarmTarget, editAlarmTarget } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import { SavedSecret } from './saved-secret.tsx'
import {
  hasSecret,
  listFaults,
  newSecret,
  type TargetDraft,
  toAddress,
  toTargetDraft,
} from './target-draft.ts'
import { TargetFields } from './target-fields.tsx'

/** The receiver to edit; undefined creates one. */
export interface EditedTarget {
  readonly target: AlarmTarget | undefined
}

interface TargetDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly edited: EditedTarget | undefined
  readonly onClose: () => void
}

const WIDTH_PX = 460

/** Creates or edits a receiver. */
export function TargetDrawer({ edited, onClose }: TargetDrawerProps) {
  const { t } = useTranslation('alarms')
  return (
    <SideDrawer
      isWanted={edited !== undefined}
      title={t(edited?.target ? 'target.editTitle' : 'target.addTitle')}
      widthPx={WIDTH_PX}
      isModal
      onClose={onClose}
    >
      {edited && <TargetForm key={edited.target?.id ?? 'new'} edited={edited} onClose={onClose} />}
    </SideDrawer>
  )
}

interface Saved {
  readonly target: AlarmTarget | undefined
  readonly node: NodeKey | undefined
  readonly draft: TargetDraft
}

async function save({ target, node, draft }: Saved): Promise<void> {
  const fields = {
    name: draft.name.trim(),
    url: toAddress(draft),
    language: draft.language,
    afterMin: draft.afterMin,
    ...(draft.duty ? { duty: draft.duty } : {}),
    ...(draft.report ? { report: draft.report } : {}),
    enabled: draft.enabled,
    severities: [...draft.severities],
    kinds: [...draft.kinds],
  }
  const secret = draft.secret === '' ? {} : { secret: draft.secret }
  if (target) await call(editAlarmTarget, { id: target.id, version: target.version, ...fields, ...secret })
  else if (node !== undefined) {
    const { channel } = draft
    await call(addAlarmTarget, { node, channel, ...fields, secret: hasSecret(channel) ? draft.secret : '' })
  }
}

function TargetForm({ edited, onClose }: { readonly edited: EditedTarget; readonly onClose: () => void }) {
  const { target } = edited
  const { t } = useTranslation('alarms')
  const id = useId()
  const [draft, setDraft] = useState(() => toTargetDraft(target, newSecret()))
  const [node, setNode] = useState<NodeKey | undefined>(target?.node)
  const [saved, setSaved] = useState(false)
  const faults = listFaults(draft, target === undefined)
  const saving = useAlarmMutation(save, {
    showsRefusal: true,
    onDone() {
      showNotice('success', t('target.saved'))
      if (draft.secret === '' || draft.channel !== 'webhook') onClose()
      else setSaved(true)
    },
  })
  if (saved) return <SavedSecret secret={draft.secret} onClose={onClose} />
  return (
    <ActionForm
      submit={t('target.save')}
      isReady={faults.length === 0 && node !== undefined}
      busy={saving.isPending}
      error={saving.error}
      testId="target-save"
      onSubmit={() => saving.mutate({ target, node, draft })}
      onCancel={onClose}
    >
      {target ? (
        <p className={styles.intro}>{toWholeAddress(target.nestaddr)}</p>
      ) : (
        <Field label={t('target.node')} htmlFor={`${id}-node`} hint={t('target.nodeHint')}>
          <NodePicker id={`${id}-node`} value={node} onNode={setNode} />
        </Field>
      )}
      <TargetFields draft={draft} faults={faults} isNew={target === undefined} onDraft={setDraft} />
    </ActionForm>
  )
}
