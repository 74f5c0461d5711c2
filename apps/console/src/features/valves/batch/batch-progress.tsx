import type { CommandBatch } from '@isotherm/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../shared/api/api-error.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { useLiveStatus } from '../../../shared/live/use-live.ts'
import { CountChips } from '../../../shared/ui/count-chips.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { type CommandGroup, commandGroups } from '../commands/command-groups.ts'
import styles from './batch.module.css'
import { BatchActions } from './batch-actions.tsx'
import { BatchBadge } from './batch-badge.tsx'
import { BatchBar } from './batch-bar.tsx'
import { countGroup, toSettledPct } from './batch-figures.ts'
import { batchQuery } from './batch-queries.ts'
import { BatchRows } from './batch-rows.tsx'

interface BatchProgressProps {
  readonly batchId: string
  readonly states: StateLookup
  readonly onBatch: (batchId: string) => void
}

/** Poll period while commands are open, ms: long with a live connection, short without one. */
const POLL_LIVE_MS = 10_000
const POLL_OFFLINE_MS = 3_000

/** The progress of a batch, in total and per command, until a reading confirms each command. */
export function BatchProgress({ batchId, states, onBatch }: BatchProgressProps) {
  const { t } = useTranslation('valves')
  const { phase } = useLiveStatus()
  const batch = useQuery({
    ...batchQuery(batchId),
    refetchInterval: ({ state }) => {
      if (!state.data || countGroup(state.data, 'open') === 0) return false
      return phase === 'connected' ? POLL_LIVE_MS : POLL_OFFLINE_MS
    },
  })
  if (batch.isPending) return <LoadingState />
  const isGone = batch.error instanceof ApiError && batch.error.code === 'command-batch.not-found'
  if (isGone || batch.data === null) return <EmptyState title={t('batch.notFound')} />
  if (batch.isError) return <ErrorState error={batch.error} onRetry={() => batch.refetch()} />
  return <Progress batch={batch.data} states={states} onBatch={onBatch} />
}

const tones: Readonly<Partial<Record<CommandGroup | 'all', 'good' | 'alarm'>>> = {
  confirmed: 'good',
  failed: 'alarm',
}

interface ProgressProps extends Omit<BatchProgressProps, 'batchId'> {
  readonly batch: CommandBatch
}

function Progress({ batch, states, onBatch }: ProgressProps) {
  const { t } = useTranslation('valves')
  const [chosen, setChosen] = useState<CommandGroup | 'all'>('all')
  const countOf = (group: CommandGroup | 'all') => (group === 'all' ? batch.total : countGroup(batch, group))
  // The chosen group may be empty by now; then all commands are shown.
  const group = countOf(chosen) === 0 ? 'all' : chosen
  const choices = (['all', ...commandGroups] as const).filter((each) => each === 'all' || countOf(each) > 0)
  return (
    <section aria-label={t('batch.title')} data-testid="batch-progress" className={styles.batch}>
      <BatchHead batch={batch} onBatch={onBatch} />
      <BatchBar batch={batch} />
      <CountChips
        label={t('batch.show')}
        chips={choices.map((key) => ({
          key,
          text: t(`batch.group.${key}`),
          count: countOf(key),
          tone: tones[key],
        }))}
        chosen={group}
        onChoose={setChosen}
        testId="batch-group"
      />
      <BatchActions batch={batch} onBatch={onBatch} />
      <BatchRows
        key={`${batch.id}/${group}`}
        batchId={batch.id}
        group={group}
        count={countOf(group)}
        isMoving={countGroup(batch, 'open') > 0}
        states={states}
      />
    </section>
  )
}

/** State, progress, user, time and reason of a batch. */
function BatchHead({ batch, onBatch }: Pick<ProgressProps, 'batch' | 'onBatch'>) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { retryOf } = batch
  return (
    <div className={styles.head}>
      <BatchBadge state={batch.state} />
      <strong className="num" data-testid="batch-settled">
        {t('batch.settled', { pct: toSettledPct(batch) })}
      </strong>
      <span>
        {t('batch.by', {
          actor: batch.actor,
          priority: t(`order.priorities.${batch.priority}`, { ns: 'common' }),
          instant: format.instant(batch.createdAt),
        })}
      </span>
      {batch.reason && (
        <span className={styles.reason}>{t('batch.why', { reason: format.reason(batch.reason) })}</span>
      )}
      {retryOf !== undefined && (
        <Button type="link" size="small" onClick={() => onBatch(retryOf)}>
          {t('batch.retryOf')}
        </Button>
      )}
    </div>
  )
}
