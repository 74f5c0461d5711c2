import { type AlarmKind, alarmKindDefinition } from '@isotherm/contract/alarm-kinds'
import type { AlarmRule } from '@isotherm/contract/alarms'
import { addAlarmRule, editAlarmRule } from '@isotherm/contract/endpoints/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { Alert, Button, Drawer } from 'antd'
import { useId, useState } from 'react'
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
import { Concerned } from './concerned.tsx'
import { type RuleDraft, toDraft, toSettings } from './rule-draft.ts'
import { KindField, RuleFields } from './rule-fields.tsx'
import { RuleLine } from './rule-line.tsx'

/** A rule in the form; without one a new rule of the kind. */
export interface EditedRule {
  readonly kind: AlarmKind
  readonly rule: AlarmRule | undefined
}

interface RuleDrawerProps {
  /** Absent while the drawer is closed. */
  readonly edited: EditedRule | undefined
  readonly onClose: () => void
}

const WIDTH_PX = 460

/** Makes a rule or changes one. */
export function RuleDrawer({ edited, onClose }: RuleDrawerProps) {
  const { t } = useTranslation('alarms')
  const isMobile = useIsMobile()
  return (
    <Drawer
      open={edited !== undefined}
      onClose={onClose}
      title={t(edited?.rule ? 'rule.editTitle' : 'rule.addTitle')}
      size={isMobile ? '100%' : WIDTH_PX}
      destroyOnHidden
    >
      {edited && <RuleForm key={edited.rule?.id ?? edited.kind} edited={edited} onClose={onClose} />}
    </Drawer>
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
  const saving = useDeed(save, {
    showsRefusal: true,
    onDone() {
      showNotice('success', t('rules.saved'))
      onClose()
    },
  })
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate({ rule, node, draft })
      }}
    >
      {rule ? (
        <p className={styles.intro}>
          {t(`kind.${rule.kind}`)} · {toWholeAddress(rule.nestaddr)}
        </p>
      ) : (
        <>
          <KindField kind={draft.kind} onKind={(kind) => setDraft(toStandard(kind))} />
          <div className={form.field}>
            <label htmlFor={`${id}-node`}>{t('rule.node')}</label>
            <NodePicker id={`${id}-node`} value={node} onNode={setNode} />
            <small className={styles.meta}>{t('rule.nodeHint')}</small>
          </div>
        </>
      )}
      <RuleFields draft={draft} onDraft={setDraft} />
      {node !== undefined && <Concerned node={node} draft={draft} />}
      {settings && (
        <div className={form.preview}>
          <span className={styles.meta}>{t('rule.preview')}</span>
          <RuleLine kind={draft.kind} settings={settings} />
        </div>
      )}
      {saving.error && <Alert type="error" showIcon title={toFailureText(saving.error)} />}
      <div className={form.formEnd}>
        <Button onClick={onClose}>{t('deed.cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={saving.isPending}
          disabled={settings === undefined || node === undefined}
          data-testid="rule-save"
        >
          {t('rule.save')}
        </Button>
      </div>
    </form>
  )
}
