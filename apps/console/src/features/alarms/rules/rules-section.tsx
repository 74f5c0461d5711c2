import { PlusOutlined } from '@ant-design/icons'
import { type AlarmKind, alarmKindDefinition, alarmKindNames } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmRule } from '@isotherm/contract/alarms/alarms'
import { deleteAlarmRules } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { useQuery } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayHandleAlarms } from '../../../shared/alarms/use-may-handle-alarms.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { rulesQuery } from '../calls/rule-queries.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import { KindSelect } from '../filter/kind-select.tsx'
import type { SectionProps } from '../filter/section-props.ts'
import styles from '../parts/alarms.module.css'
import items from '../parts/items.module.css'
import { ShownPart } from '../parts/shown-part.tsx'
import { type EditedRule, RuleDrawer } from './rule-drawer.tsx'
import { RuleLine } from './rule-line.tsx'

/** The default rule of each alarm kind, and the rules that override it. */
export function RulesSection({ nodes, url, change }: SectionProps) {
  const { t } = useTranslation('alarms')
  const mayHandle = useMayHandleAlarms()
  const [edited, setEdited] = useState<EditedRule>()
  const rules = useQuery(rulesQuery(nodes))
  const kinds = url.kinds.length > 0 ? url.kinds : alarmKindNames
  return (
    <>
      <div className={items.sectionHead}>
        <p className={styles.hint}>{t('rules.hint')}</p>
        <KindSelect kinds={url.kinds} onKinds={(next) => change({ kinds: next })} />
        {mayHandle && (
          <Button
            icon={<PlusOutlined />}
            data-testid="add-rule"
            onClick={() => setEdited({ kind: kinds[0] ?? 'room-cold', rule: undefined })}
          >
            {t('rules.add')}
          </Button>
        )}
      </div>
      <Answer query={rules}>
        {({ datalist, total }) => (
          <>
            <ShownPart shown={datalist.length} total={total} />
            <div className={styles.cards}>
              {kinds.map((kind) => (
                <KindRules
                  key={kind}
                  kind={kind}
                  rules={datalist.filter((rule) => rule.kind === kind)}
                  mayAdd={mayHandle}
                  onEdit={(rule) => setEdited({ kind, rule })}
                />
              ))}
            </div>
          </>
        )}
      </Answer>
      <RuleDrawer edited={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}

interface KindRulesProps {
  readonly kind: AlarmKind
  readonly rules: readonly AlarmRule[]
  readonly mayAdd: boolean
  /** Undefined creates a rule of the kind. */
  readonly onEdit: (rule: AlarmRule | undefined) => void
}

function KindRules({ kind, rules, mayAdd, onEdit }: KindRulesProps) {
  const { t } = useTranslation('alarms')
  const name = t(`kind.${kind}`)
  const { standard } = alarmKindDefinition(kind)
  return (
    <section className={items.kind} data-testid={`rules-${kind}`}>
      <header>
        <h3>{name}</h3>
        {mayAdd && (
          <Button
            size="small"
            type="text"
            icon={<PlusOutlined />}
            aria-label={t('rules.addHere', { kind: name })}
            title={t('rules.addHere', { kind: name })}
            onClick={() => onEdit(undefined)}
          />
        )}
      </header>
      <div className={items.standard}>
        <span className={styles.meta}>{t(standard.enabled ? 'rules.defaultRule' : 'rules.defaultOff')}</span>
        <RuleLine kind={kind} settings={standard} />
      </div>
      {rules.map((rule) => (
        <RuleItem key={rule.id} rule={rule} onEdit={() => onEdit(rule)} />
      ))}
    </section>
  )
}

function RuleItem({ rule, onEdit }: { readonly rule: AlarmRule; readonly onEdit: () => void }) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const remove = useAlarmMutation(
    ({ id, version }: AlarmRule) => call(deleteAlarmRules, { items: [{ id, version }] }),
    { onDone: () => showNotice('success', t('rules.removed')) },
  )
  const devices = rule.deviceKinds.map((kind) => tCommon(`deviceKind.${kind}`)).join(' / ')
  return (
    <div className={items.ruleItem} data-testid={`rule-${rule.id}`}>
      <div className={items.itemMain}>
        <span>
          <strong>{toWholeAddress(rule.nestaddr)}</strong>{' '}
          {devices !== '' && <small className={styles.meta}>{t('rules.for', { devices })}</small>}
        </span>
        <RuleLine kind={rule.kind} settings={rule} />
      </div>
      {rule.abilities.includes('edit') && (
        <Button size="small" onClick={onEdit}>
          {t('rules.edit')}
        </Button>
      )}
      {rule.abilities.includes('remove') && (
        <Popconfirm
          title={t('rules.removeSure')}
          okText={t('rules.remove')}
          cancelText={t('handle.cancel')}
          onConfirm={() => remove.mutate(rule)}
        >
          <Button size="small" disabled={remove.isPending}>
            {t('rules.remove')}
          </Button>
        </Popconfirm>
      )}
    </div>
  )
}
