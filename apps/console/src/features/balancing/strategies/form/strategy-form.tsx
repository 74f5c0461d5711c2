import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Strategy, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../../shared/api/api-error.ts'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import { LoadingState } from '../../../../shared/ui/states.tsx'
import { balancingKeys } from '../../balancing-keys.ts'
import campaignStyles from '../../campaign/parts/campaign.module.css'
import { findPlan, listFaults, type PlanDraft, startPlanDraft, toPlanDraft } from '../plan-draft.ts'
import { PreviewPanels } from '../preview/preview-panels.tsx'
import styles from '../strategy.module.css'
import { previewPlan, storePlan } from '../strategy-queries.ts'
import { IntervalFields } from './interval-fields.tsx'
import { SequenceFields } from './sequence-fields.tsx'

interface StrategyFormProps {
  /** The edited strategy; absent for a new one. */
  readonly at?: Pick<Strategy, 'abilities' | 'id' | 'version' | 'plan'>
  readonly node: NodeKey
  readonly name: string
  readonly kind: BalanceKind
  readonly onStored: (id: number) => void
  readonly onCancel: () => void
}

/** Form of a strategy with a dry run. Saving it moves no valve. */
export default function StrategyForm({ at, node, name, kind, onStored, onCancel }: StrategyFormProps) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  // Typed values stay if another user changes the strategy; saving is blocked then.
  const [openedAt] = useState(at)
  const [draft, setDraft] = useState<PlanDraft>(() =>
    at ? toPlanDraft(at.plan) : startPlanDraft(kind, t('strategy.form.newGroup', { n: 1 })),
  )
  const plan = findPlan(draft)
  const store = useMutation({
    mutationFn: (wanted: StrategyPlan) => storePlan(openedAt ?? node, wanted),
    onSuccess(stored) {
      client.setQueryData(balancingKeys.strategy(stored.id), stored)
      void client.invalidateQueries({ queryKey: balancingKeys.strategyLists })
      onStored(stored.id)
    },
  })
  const preview = useMutation({ mutationFn: (wanted: StrategyPlan) => previewPlan(node, wanted) })
  const change = (part: Partial<PlanDraft>) => {
    store.reset()
    // The dry run no longer matches the form.
    preview.reset()
    setDraft((known) => ({ ...known, ...part }))
  }
  const isBarred = at !== undefined && !at.abilities.includes('change')
  const isOutdated = at?.version !== openedAt?.version
  const title = t(at ? 'strategy.form.change' : 'strategy.form.add', {
    kind: t(`strategy.kind.${kind}`),
    name,
  })
  return (
    <div className={campaignStyles.view}>
      <header className={campaignStyles.head}>
        <div className={campaignStyles.title}>
          <h1>{title}</h1>
        </div>
        <p className={styles.hint}>{t('strategy.form.intro')}</p>
      </header>
      <Panel>
        <form
          className={styles.form}
          data-testid="strategy-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (plan && !isBarred && !isOutdated) store.mutate(plan)
          }}
        >
          {kind === 'sequence' ? (
            <SequenceFields node={node} draft={draft} onChange={change} />
          ) : (
            <IntervalFields draft={draft} onChange={change} />
          )}
          {(isBarred || isOutdated) && (
            <Alert
              type="warning"
              showIcon
              data-testid="strategy-barred"
              title={t(isBarred ? 'strategy.form.barred' : 'strategy.form.overtaken')}
            />
          )}
          {store.error && <Alert type="error" showIcon title={toFailureText(store.error)} />}
          <div className={styles.end}>
            <span className={styles.grow} role="status">
              {plan === undefined && <Faults draft={draft} />}
            </span>
            <Button onClick={onCancel}>{t('strategy.form.cancel')}</Button>
            <Button
              disabled={!plan}
              loading={preview.isPending}
              data-testid="strategy-try"
              onClick={() => plan && preview.mutate(plan)}
            >
              {t('strategy.act.preview')}
            </Button>
            <Button
              type="primary"
              htmlType="submit"
              disabled={!plan || isBarred || isOutdated}
              loading={store.isPending}
              data-testid="strategy-store"
            >
              {t(at ? 'strategy.form.save' : 'strategy.form.submit')}
            </Button>
          </div>
        </form>
      </Panel>
      <div className={campaignStyles.column}>
        {preview.isPending && <LoadingState text={t('strategy.preview.busy')} />}
        {preview.error && <Alert type="error" showIcon title={toFailureText(preview.error)} />}
        {preview.data && <PreviewPanels preview={preview.data} plan={preview.variables} />}
      </div>
    </div>
  )
}

/** Maximum of named faults. */
const MAX_NAMED = 3

/** Names the fields that are missing or out of bounds. */
function Faults({ draft }: { readonly draft: PlanDraft }) {
  const { t } = useTranslation('balancing')
  const faults = listFaults(draft).map(({ field, group }) => {
    const part = t(`strategy.fault.${field}`)
    if (group === undefined) return part
    const name = draft.groups[group]?.name.trim() || `#${group + 1}`
    return t('strategy.fault.inGroup', { name, part })
  })
  const named = faults.slice(0, MAX_NAMED).join(t('campaign.abort.join'))
  const parts = faults.length > MAX_NAMED ? t('campaign.abort.more', { places: named }) : named
  return <>{t('strategy.form.incomplete', { parts })}</>
}
