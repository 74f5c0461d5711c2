import type { Device } from '@isotherm/contract/devices'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import { useLiveStates } from '../../shared/live/use-live.ts'
import { ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { commandKeys } from './command-keys.ts'
import { OpeningForm } from './opening-form.tsx'
import { type Order, sendOrder, valvesQuery } from './queries.ts'
import styles from './valves.module.css'

interface OrderPanelProps {
  readonly ids: readonly number[]
  readonly batch: string | undefined
  readonly onBatch: (batchId: string | undefined) => void
}

const noDevices: readonly Device[] = []

/** Sets the opening of the given valves: form with preview first, then the progress of what was sent. */
export function OrderPanel({ ids, batch, onBatch }: OrderPanelProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const valves = useQuery(valvesQuery([]))
  const all = valves.data ?? noDevices
  const devices = useMemo(() => all.filter(({ id }) => ids.includes(id)), [all, ids])
  const nodes = useMemo(() => [...new Set(devices.map(({ node }) => node))], [devices])
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
  const order = (given: Order) => send.mutate(given)

  if (valves.isPending) return <LoadingState />
  if (valves.isError) return <ErrorState error={valves.error} onRetry={() => valves.refetch()} />
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
