import { type AlarmKind, alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmRule } from '@isotherm/contract/alarms/alarms'
import { addAlarmRule, editAlarmRule } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import { AffectedDevices } from './affected-devices.tsx'
import { type RuleDraft, toDraft, toSettings } from './rule-draft.ts'
import { KindField, RuleFields } from './rule-fields.tsx'
import { RuleLine } from './rule-line.tsx'

/** The rule to edit; undefined creates a rule of the kind. */
export interface EditedRule {
  readonly kind: AlarmKind
  readonly rule: AlarmRule | undefined
}

interface RuleDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly edited: EditedRule | undefined
  readonly onClose: () => void
}

const WIDTH_PX = 460

/** Creates or edits a rule. */
export function RuleDrawer({ edited, onClose }: RuleDrawerProps) {
  const { t } = useTranslation('alarms')
  return (
    <SideDrawer
      isWanted={edited !== undefined}
      title={t(edited?.rule ? 'rule.editTitle' : 'rule.addTitle')}
      widthPx={WIDTH_PX}
      isModal
      onClose={onClose}
    >
      {edited && <RuleForm key={edited.rule?.id ?? edited.kind} edited={edited} onClose={onClose} />}
    </SideDrawer>
  )
}

const toStandard = (kind: AlarmKind): RuleDraft =>
  toDraft(kind, { ...alarmKindDefinition(kind).standard, enabled: true }, [])

interface Saved {
  readonly rule: AlarmRule | undefined
  readonly node: NodeKey | undefined
  readonly draft: RuleDraft
}

async function save({ rule, node, draft }: Saved): Promise<void> {
  const settings = toSettings(draft)
  if (!settings) return
  const deviceKinds = [...draft.deviceKinds]
  if (rule) await call(editAlarmRule, { id: rule.id, version: rule.version, deviceKinds, ...settings })
  else if (node !== undefined) await call(addAlarmRule, { kind: draft.kind, node, deviceKinds, ...settings })
}

function RuleForm({ edited, onClose }: { readonly edited: EditedRule; readonly onClose: () => void }) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const { rule } = edited
  const [draft, setDraft] = useState(() =>
    rule ? toDraft(rule.kind, rule, rule.deviceKinds) : toStandard(edited.kind),
  )
  const [node, setNode] = useState<NodeKey | undefined>(rule?.node)
  const settings = toSettings(draft)
  const saving = useAlarmMutation(save, {
    showsRefusal: true,
    onDone() {
      showNotice('success', t('rules.saved'))
      onClose()
    },
  })
  return (
    <ActionForm
      submit={t('rule.save')}
      isReady={settings !== undefined && node !== undefined}
      busy={saving.isPending}
      error={saving.error}
      testId="rule-save"
      onSubmit={() => saving.mutate({ rule, node, draft })}
      onCancel={onClose}
    >
      {rule ? (
        <p className={styles.intro}>
          {t(`kind.${rule.kind}`)} · {toWholeAddress(rule.nestaddr)}
        </p>
      ) : (
        <>
          <KindField kind={draft.kind} onKind={(kind) => setDraft(toStandard(kind))} />
          <Field label={t('rule.node')} htmlFor={`${id}-node`} hint={t('rule.nodeHint')}>
            <NodePicker id={`${id}-node`} value={node} onNode={setNode} />
          </Field>
        </>
      )}
      <RuleFields draft={draft} onDraft={setDraft} />
      {node !== undefined && <AffectedDevices node={node} draft={draft} />}
      {settings && (
        <div className={form.preview}>
          <span className={styles.meta}>{t('rule.preview')}</span>
          <RuleLine kind={draft.kind} settings={settings} />
        </div>
      )}
    </ActionForm>
  )
}
