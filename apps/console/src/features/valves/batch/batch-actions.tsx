import { CaretRightOutlined, PauseOutlined, RedoOutlined, StopOutlined } from '@ant-design/icons'
import type { CommandBatch } from '@isotherm/contract/command'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { batchKeys, commandKeys } from '../commands/command-keys.ts'
import styles from './batch.module.css'
import { countGroup } from './batch-figures.ts'
import { type BatchAction, runBatchAction } from './batch-queries.ts'

interface BatchActionsProps {
  readonly batch: CommandBatch
  /** Opens another batch, for example the one that a retry created. */
  readonly onBatch: (batchId: string) => void
}

const icons = {
  pause: <PauseOutlined />,
  resume: <CaretRightOutlined />,
  retry: <RedoOutlined />,
} as const

/** Buttons of the actions on a batch that the server allows the user now (`batch.abilities`). */
export function BatchActions({ batch, onBatch }: BatchActionsProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (action: BatchAction) => runBatchAction(batch.id, action),
    onSuccess: (changed) => {
      client.setQueryData(batchKeys.one(changed.id), changed)
      client.invalidateQueries({ queryKey: batchKeys.lists })
      client.invalidateQueries({ queryKey: commandKeys.rows(batch.id) })
      if (changed.id !== batch.id) onBatch(changed.id)
    },
    // The batch changed in the meantime: fetch what is allowed now.
    onError: () => client.invalidateQueries({ queryKey: batchKeys.one(batch.id) }),
  })
  const isBusy = (action: BatchAction) => change.isPending && change.variables === action
  const failed = countGroup(batch, 'failed')
  if (batch.abilities.length === 0 && !change.isError) return null
  return (
    <div className={styles.actions}>
      {(['pause', 'resume', 'retry'] as const).map(
        (action) =>
          batch.abilities.includes(action) && (
            <Button
              key={action}
              icon={icons[action]}
              loading={isBusy(action)}
              data-testid={`batch-${action}`}
              onClick={() => change.mutate(action)}
            >
              {action === 'retry' ? t('batch.retry', { count: failed }) : t(`batch.${action}`)}
            </Button>
          ),
      )}
      {batch.abilities.includes('cancel') && (
        <Popconfirm
          title={t('batch.cancelSure')}
          description={t('batch.cancelMeans')}
          okText={t('batch.cancel')}
          cancelText={t('batch.keep')}
          onConfirm={() => change.mutate('cancel')}
        >
          <Button icon={<StopOutlined />} danger loading={isBusy('cancel')} data-testid="batch-cancel">
            {t('batch.cancel')}
          </Button>
        </Popconfirm>
      )}
      {change.isError && <Alert type="error" showIcon title={toFailureText(change.error)} />}
    </div>
  )
}
