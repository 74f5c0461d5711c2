import { CaretRightOutlined, PauseOutlined, RedoOutlined, StopOutlined } from '@ant-design/icons'
import type { CommandBatch } from '@isotherm/contract/command'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { batchKeys, commandKeys } from '../commands/command-keys.ts'
import styles from './batch.module.css'
import { countGroup } from './batch-figures.ts'
import { type BatchMove, moveBatch } from './batch-queries.ts'

interface BatchActionsProps {
  readonly batch: CommandBatch
  /** Shows the batch that a retry made. */
  readonly onBatch: (batchId: string) => void
}

const icons = {
  pause: <PauseOutlined />,
  resume: <CaretRightOutlined />,
  retry: <RedoOutlined />,
} as const

/** What the caller may do with a batch now, as the server said. */
export function BatchActions({ batch, onBatch }: BatchActionsProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const move = useMutation({
    mutationFn: (wanted: BatchMove) => moveBatch(batch.id, wanted),
    onSuccess: (moved) => {
      client.setQueryData(batchKeys.one(moved.id), moved)
      client.invalidateQueries({ queryKey: batchKeys.lists })
      client.invalidateQueries({ queryKey: commandKeys.rows(batch.id) })
      if (moved.id !== batch.id) onBatch(moved.id)
    },
    // Somebody else was quicker, or the batch went on: what may be done with it is asked for again.
    onError: () => client.invalidateQueries({ queryKey: batchKeys.one(batch.id) }),
  })
  const isBusy = (wanted: BatchMove) => move.isPending && move.variables === wanted
  const failed = countGroup(batch, 'failed')
  if (batch.abilities.length === 0 && !move.isError) return null
  return (
    <div className={styles.actions}>
      {(['pause', 'resume', 'retry'] as const).map(
        (wanted) =>
          batch.abilities.includes(wanted) && (
            <Button
              key={wanted}
              icon={icons[wanted]}
              loading={isBusy(wanted)}
              data-testid={`batch-${wanted}`}
              onClick={() => move.mutate(wanted)}
            >
              {wanted === 'retry' ? t('batch.retry', { count: failed }) : t(`batch.${wanted}`)}
            </Button>
          ),
      )}
      {batch.abilities.includes('cancel') && (
        <Popconfirm
          title={t('batch.cancelSure')}
          description={t('batch.cancelMeans')}
          okText={t('batch.cancel')}
          cancelText={t('batch.keep')}
          onConfirm={() => move.mutate('cancel')}
        >
          <Button icon={<StopOutlined />} danger loading={isBusy('cancel')} data-testid="batch-cancel">
            {t('batch.cancel')}
          </Button>
        </Popconfirm>
      )}
      {move.isError && <Alert type="error" showIcon title={toFailureText(move.error)} />}
    </div>
  )
}
