import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { useLiveStates } from '../../../shared/live/use-live.ts'
import { ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { BatchProgress } from '../batch/batch-progress.tsx'
import { batchKeys, commandKeys } from '../commands/command-keys.ts'
import { sendOrder } from '../commands/command-queries.ts'
import { useDevicesById } from '../selection/use-devices-by-id.ts'
import { OpeningForm } from './opening-form.tsx'
import styles from './order.module.css'
import { previewKey } from './preview-query.ts'
import { toWatched } from './watched-nodes.ts'

interface OrderPanelProps {
  readonly ids: readonly number[]
  readonly batch: string | undefined
  /** The nodes of the page, which usually contain the valves; undefined if the selection no longer exists. */
  readonly nodes: readonly NodeKey[] | undefined
  readonly onBatch: (batchId: string | undefined) => void
}

/** Sets the opening of the given valves: the form with preview, then the progress of the sent batch. */
export function OrderPanel(props: OrderPanelProps) {
  const { found, query } = useDevicesById(props.ids, props.nodes)
  if (query.isPending) return <LoadingState />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  return <Order {...props} devices={found} missing={props.ids.length - found.length} />
}

interface OrderProps extends Omit<OrderPanelProps, 'ids'> {
  readonly devices: readonly Device[]
  /** Number of requested valves that the user cannot see. */
  readonly missing: number
}

/** The same for valves that are known already. */
export function Order({ devices, missing, batch, nodes, onBatch }: OrderProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  // Commands are pushed for subscribed subtrees, so this subscription also brings the progress of the batch.
  const watched = useMemo(() => toWatched(devices, nodes), [devices, nodes])
  const live = useLiveStates(watched && { nodes: watched, kinds: ['valve'] })
  const send = useMutation({
    mutationFn: sendOrder,
    onSuccess: ({ batch: sent }) => {
      client.setQueryData(batchKeys.one(sent.id), sent)
      for (const queryKey of [batchKeys.lists, commandKeys.logs]) client.invalidateQueries({ queryKey })
      onBatch(sent.id)
    },
    // The order was refused for a reason that the preview did not show: the preview is fetched again.
    onError: () => client.invalidateQueries({ queryKey: previewKey }),
  })
  return (
    <div className={styles.order}>
      {missing > 0 && <Alert type="warning" showIcon title={t('set.unknownValves', { count: missing })} />}
      {send.isError && (
        <Alert type="error" showIcon title={toFailureText(send.error)} data-testid="order-error" />
      )}
      {batch === undefined ? (
        devices.length > 0 && (
          <OpeningForm
            devices={devices}
            states={live.states}
            busy={send.isPending}
            onSend={(order) => send.mutate(order)}
          />
        )
      ) : (
        <>
          <BatchProgress batchId={batch} states={live.states} onBatch={onBatch} />
          {devices.length > 0 && <Button onClick={() => onBatch(undefined)}>{t('set.again')}</Button>}
        </>
      )}
    </div>
  )
}
