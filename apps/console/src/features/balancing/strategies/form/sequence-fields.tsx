import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../../shared/ui/answer.tsx'
import { NumberField } from '../../fields/number-field.tsx'
import { balanceQuery } from '../../queries.ts'
import { MAX_GROUPS, planBounds } from '../plan-bounds.ts'
import { type GroupDraft, type PlanDraft, startGroup } from '../plan-draft.ts'
import styles from '../strategy.module.css'
import { GroupFields } from './group-fields.tsx'
import { listFree, listPlaces } from './places.ts'

interface SequenceFieldsProps {
  readonly node: NodeKey
  readonly draft: PlanDraft
  readonly onChange: (part: Partial<PlanDraft>) => void
}

/** Fields of a sequence: common ones, and one group at a time. */
export function SequenceFields({ node, draft, onChange }: SequenceFieldsProps) {
  const { t } = useTranslation('balancing')
  const { groups } = draft
  const [chosen, choose] = useState(0)
  const balance = useQuery(balanceQuery(node))
  const valves = balance.data?.valves
  const places = useMemo(() => listPlaces(valves ?? []), [valves])
  const at = Math.min(chosen, groups.length - 1)
  const group = groups[at]
  const free = listFree(
    places,
    groups.flatMap(({ nodes }) => nodes),
  )
  const add = () => {
    const last = groups.at(-1)
    const name = t('strategy.form.newGroup', { n: groups.length + 1 })
    // A new group starts with a copy of the last group's week.
    const added = last ? { ...last, name, nodes: [] } : startGroup(name)
    onChange({ groups: [...groups, added] })
    choose(groups.length)
  }
  const changeGroup = (part: Partial<GroupDraft>) =>
    onChange({ groups: groups.map((each, i) => (i === at ? { ...each, ...part } : each)) })
  return (
    <>
      <div className={styles.fields}>
        <NumberField
          label={t('strategy.form.fullFlow')}
          unit="kg/(h·m²)"
          hint={t('strategy.form.fullFlowHint')}
          bounds={planBounds.flowKgHM2}
          placeholder={t('strategy.form.flowEmpty')}
          value={draft.flowKgHM2}
          onValue={(flowKgHM2) => onChange({ flowKgHM2 })}
        />
        <NumberField
          label={t('strategy.form.frost')}
          unit="°C"
          hint={t('strategy.form.frostHint')}
          bounds={planBounds.frostC}
          isNeeded
          value={draft.frostC}
          onValue={(frostC) => onChange({ frostC })}
        />
      </div>
      <fieldset className={styles.part}>
        <legend>{t('strategy.form.groups')}</legend>
        <div className={styles.line}>
          <Segmented<number>
            aria-label={t('strategy.form.groups')}
            data-testid="strategy-groups"
            value={at}
            options={groups.map(({ name }, i) => ({ value: i, label: name || `#${i + 1}` }))}
            onChange={choose}
          />
          <Button
            icon={<PlusOutlined />}
            disabled={groups.length >= MAX_GROUPS}
            data-testid="group-add"
            onClick={add}
          >
            {t('strategy.form.addGroup')}
          </Button>
          {groups.length > 1 && (
            <Button
              icon={<DeleteOutlined />}
              data-testid="group-remove"
              onClick={() => onChange({ groups: groups.filter((_, i) => i !== at) })}
            >
              {t('strategy.form.removeGroup')}
            </Button>
          )}
        </div>
        {free.length > 0 && (
          <p className={styles.hint} data-testid="places-free">
            {t('strategy.form.free', { count: free.length })}
          </p>
        )}
        {/* Buildings come from the valves of the loop; show their loading and error states. */}
        <Answer query={balance}>
          {() =>
            group && (
              <GroupFields
                key={at}
                group={group}
                places={places}
                taken={groups.flatMap(({ nodes }, i) => (i === at ? [] : nodes))}
                onChange={changeGroup}
              />
            )
          }
        </Answer>
      </fieldset>
    </>
  )
}
