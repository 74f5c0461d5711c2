import type { RequestedMode } from '@isotherm/contract/balancing/campaign'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { balancingKeys } from '../balancing-keys.ts'
import field from '../fields/field.module.css'
import styles from '../fields/form.module.css'
import { NumberField } from '../fields/number-field.tsx'
import { planBalance } from '../queries.ts'
import { KeepPumpField } from './keep-pump-field.tsx'
import { MethodField } from './method-field.tsx'
import { findMode, flowBounds, heatBounds, type StartKind, startDraft, targets } from './mode-draft.ts'
import { Refusal } from './refusal.tsx'

interface StartFormProps {
  readonly node: NodeKey
  readonly kind: StartKind
  /** Kinds the user may start. */
  readonly kinds: readonly StartKind[]
  readonly heatNowWM2: number | undefined
  readonly onCampaign: (id: number) => void
  readonly onCancel: () => void
}

/** Form of a new balance. Submitting it creates a draft, which moves no valve. */
export function StartForm({ node, kind, kinds, heatNowWM2, onCampaign, onCancel }: StartFormProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => startDraft(kind, heatNowWM2))
  const mode = findMode(draft)
  const plan = useMutation({
    mutationFn: (requested: RequestedMode) => planBalance(node, requested),
    onSuccess(campaign) {
      client.setQueryData(balancingKeys.campaign(campaign.id), campaign)
      void client.invalidateQueries({ queryKey: balancingKeys.lists })
      onCampaign(campaign.id)
    },
  })
  const change = (part: Partial<typeof draft>) => {
    plan.reset()
    setDraft({ ...draft, ...part })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (mode) plan.mutate(mode)
      }}
    >
      <p className={styles.intro}>{t('start.intro')}</p>
      {kinds.length > 1 && (
        <div className={field.field}>
          <span>{t('start.kind')}</span>
          <Segmented<StartKind>
            aria-label={t('start.kind')}
            data-testid="start-kind"
            value={draft.kind}
            options={kinds.map((each) => ({ value: each, label: t(`start.kinds.${each}`) }))}
            onChange={(each) => change({ kind: each })}
          />
        </div>
      )}
      {draft.kind === 'temperature' && (
        <div className={field.field}>
          <span>{t('start.target')}</span>
          <Segmented
            aria-label={t('start.target')}
            data-testid="start-target"
            value={draft.target}
            options={targets.map((each) => ({ value: each, label: t(`start.targets.${each}`) }))}
            onChange={(target) => change({ target })}
          />
          <small>{t(`start.targetHints.${draft.target}`)}</small>
        </div>
      )}
      {draft.kind === 'temperature' && draft.target === 'return' && (
        <MethodField method={draft.method} node={node} onMethod={(method) => change({ method })} />
      )}
      {draft.kind === 'energy' && (
        <NumberField
          label={t('start.heat')}
          unit="W/m²"
          bounds={heatBounds}
          isNeeded
          value={draft.heatWM2}
          onValue={(heatWM2) => change({ heatWM2 })}
          hint={[
            t('start.heatHint'),
            heatNowWM2 !== undefined && t('start.heatNow', { value: format.number(heatNowWM2, 1) }),
          ]
            .filter(Boolean)
            .join(' ')}
        />
      )}
      {draft.kind === 'flow' && (
        <NumberField
          label={t('start.flow')}
          unit="kg/(h·m²)"
          bounds={flowBounds}
          value={draft.flowKgHM2}
          onValue={(flowKgHM2) => change({ flowKgHM2 })}
          placeholder={t('start.flowEmpty')}
          hint={t('start.flowHint')}
        />
      )}
      {!(draft.kind === 'temperature' && draft.target === 'return' && draft.method === 'proportional') && (
        <KeepPumpField isLeft={draft.keepsPump} onKeep={(keepsPump) => change({ keepsPump })} />
      )}
      {plan.error && <Refusal error={plan.error} onCampaign={onCampaign} />}
      <div className={styles.end}>
        <Button onClick={onCancel}>{t('start.cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={plan.isPending}
          disabled={!mode}
          data-testid="start-submit"
        >
          {plan.isPending ? t('start.busy') : t('start.submit')}
        </Button>
      </div>
    </form>
  )
}
