import type { Command } from '@isotherm/contract/command'
import type { DeviceState } from '@isotherm/contract/devices'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import { toCompactAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useLiveStatus } from '../../shared/live/use-live.ts'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { applyPushed } from './command-cache.ts'
import { countBatch, toCancellable, toRetriable } from './command-progress.ts'
import styles from './order.module.css'
import { batchQuery, cancelCommands, type OpeningOrder } from './queries.ts'
import { StepLine } from './step-line.tsx'
import { findMetric } from './valve-row.ts'

interface BatchProgressProps {
  readonly batchId: string
  readonly states: ReadonlyMap<number, DeviceState>
  readonly busy: boolean
  /** Sends the given again; absent for who may not control. */
  readonly onRetry?: (order: OpeningOrder) => void
}

/** While commands are open the list is asked for as well as pushed: rarely when live, often when not, ms. */
const ASK_LIVE_MS = 10_000
const ASK_OFFLINE_MS = 3_000

/** How far each command of a batch came, up to the moment a reading confirms it. */
export function BatchProgress({ batchId, states, busy, onRetry }: BatchProgressProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const { phase } = useLiveStatus()
  const batch = useQuery({
    ...batchQuery(batchId),
    refetchInterval: ({ state }) => {
      if (!state.data || countBatch(state.data.datalist).open === 0) return false
      return phase === 'connected' ? ASK_LIVE_MS : ASK_OFFLINE_MS
    },
  })
  const cancel = useMutation({
    mutationFn: cancelCommands,
    onSuccess: ({ commands }) => {
      for (const command of commands) applyPushed(client, command)
    },
  })
  if (batch.isPending) return <LoadingState />
  if (batch.isError) return <ErrorState error={batch.error} onRetry={() => batch.refetch()} />
  const commands = batch.data.datalist
  if (commands.length === 0) return <EmptyState title={t('batch.notFound')} />
  const retriable = toRetriable(commands)
  const cancellable = toCancellable(commands)
  const retry = () =>
    onRetry?.({
      targets: retriable.map(({ deviceId, openingPct }) => ({ deviceId, openingPct })),
      reason: retriable[0]?.reason ?? '',
    })
  return (
    <section aria-label={t('batch.title')} data-testid="batch-progress" className={styles.batch}>
      <p className={styles.hint}>{t('batch.count', { ...countBatch(commands) })}</p>
      <ul className={styles.batchList}>
        {commands.map((command) => (
          <BatchItem key={command.id} command={command} state={states.get(command.deviceId)} />
        ))}
      </ul>
      {cancel.isError && <Alert type="error" showIcon title={toFailureText(cancel.error)} />}
      {onRetry && (retriable.length > 0 || cancellable.length > 0) && (
        <div className={styles.batchActions}>
          {retriable.length > 0 && (
            <Button loading={busy} onClick={retry} data-testid="retry-commands">
              {t('batch.retry', { count: retriable.length })}
            </Button>
          )}
          {cancellable.length > 0 && (
            <Button
              loading={cancel.isPending}
              onClick={() => cancel.mutate(cancellable.map(({ id }) => id))}
              data-testid="cancel-commands"
            >
              {t('batch.cancel', { count: cancellable.length })}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function BatchItem({
  command,
  state,
}: {
  readonly command: Command
  readonly state: DeviceState | undefined
}) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const openingPct = findMetric(state, 'valve.opening')
  return (
    <li data-testid={`command-${command.deviceId}`} data-state={command.state}>
      <div className={styles.batchHead}>
        <strong className={styles.address} title={command.nestaddr}>
          {toCompactAddress(command.nestaddr)}
        </strong>
        <span>
          {format.metric('valve.opening', command.previousPct)} →{' '}
          {format.metric('valve.opening', command.openingPct)}
        </span>
        {openingPct !== undefined && (
          <span className={styles.hint}>
            {t('command.nowAt', { opening: format.metric('valve.opening', openingPct) })}
          </span>
        )}
      </div>
      <StepLine command={command} />
    </li>
  )
}
