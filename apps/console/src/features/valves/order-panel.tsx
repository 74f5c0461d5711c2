import type { Device } from '@isotherm/contract/devices'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import { useLiveStates } from '../../shared/live/use-live.ts'
import { ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { commandKeys } from './command-keys.ts'
import { OpeningForm } from './opening-form.tsx'
import styles from './order.module.css'
import { type OpeningOrder, sendOrder, valvesQuery } from './queries.ts'

interface OrderPanelProps {
  readonly ids: readonly number[]
  readonly batch: string | undefined
  readonly onBatch: (batchId: string | undefined) => void
}

/** Sets the opening of the given valves: form with preview first, then the progress of what was sent. */
export function OrderPanel(props: OrderPanelProps) {
  const valves = useQuery(valvesQuery([]))
  if (valves.isPending) return <LoadingState />
  if (valves.isError) return <ErrorState error={valves.error} onRetry={() => valves.refetch()} />
  return <Order {...props} devices={valves.data.filter(({ id }) => props.ids.includes(id))} />
}

interface OrderProps extends OrderPanelProps {
  readonly devices: readonly Device[]
}

function Order({ ids, devices, batch, onBatch }: OrderProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const nodes = [...new Set(devices.map(({ node }) => node))]
  // Commands are pushed for the subtrees subscribed here, so the batch is followed by the same subscription.
  const live = useLiveStates({ nodes, kinds: ['valve'] })
  const send = useMutation({
    mutationFn: sendOrder,
    onSuccess: ({ batchId, commands }) => {
      client.setQueryData(commandKeys.batch(batchId), { datalist: commands })
      client.invalidateQueries({
        queryKey: commandKeys.all,
        predicate: ({ queryKey }) => queryKey[2] !== 'batch',
      })
      onBatch(batchId)
    },
  })
  const order = (given: OpeningOrder) => send.mutate(given)
  const missing = ids.length - devices.length
  return (
    <div className={styles.order}>
      {missing > 0 && <Alert type="warning" showIcon title={t('set.unknownValves', { count: missing })} />}
      {send.isError && (
        <Alert type="error" showIcon title={toFailureText(send.error)} data-testid="order-error" />
      )}
      {batch === undefined ? (
        devices.length > 0 && (
          <OpeningForm devices={devices} states={live.states} busy={send.isPending} onSend={order} />
        )
      ) : (
        <>
          <BatchProgress batchId={batch} states={live.states} onRetry={order} busy={send.isPending} />
          {devices.length > 0 && <Button onClick={() => onBatch(undefined)}>{t('set.again')}</Button>}
        </>
      )}
    </div>
  )
}
