import type { CommandBatch } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, type TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useActorColumns } from '../lists/list-columns.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import styles from './batch.module.css'
import { BatchBadge } from './batch-badge.tsx'
import { BatchCard } from './batch-card.tsx'
import { BatchCounts } from './batch-counts.tsx'
import { BATCH_PAGE_SIZE, batchListQuery } from './batch-queries.ts'

interface BatchListProps {
  readonly nodes: readonly NodeKey[]
  readonly page: number
  readonly onPage: (page: number) => void
  readonly onOpen: (batchId: string) => void
}

const WIDTH_PX = 1_040

/** Command batches to valves of the selected subtree, newest first: user, reason and progress. */
export function BatchList({ nodes, page, onPage, onOpen }: BatchListProps) {
  const { t } = useTranslation('valves')
  const columns = useBatchColumns(onOpen)
  const list = useQuery({ ...batchListQuery(nodes, page), placeholderData: keepPreviousData })
  return (
    <PagedTable
      rows={list}
      empty={{ title: t('log.empty') }}
      columns={columns}
      widthPx={WIDTH_PX}
      toCard={(batch) => <BatchCard batch={batch} onOpen={onOpen} />}
      testId="batch-list"
      pageSize={BATCH_PAGE_SIZE}
      page={page}
      onPage={onPage}
    />
  )
}

function useBatchColumns(onOpen: (batchId: string) => void): TableColumnsType<CommandBatch> {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const actorColumns = useActorColumns<CommandBatch>()
  return useMemo(
    () => [
      {
        title: t('log.time'),
        width: 168,
        key: 'time',
        render: (_, { id, createdAt }) => (
          <Button
            className={styles.listLink ?? ''}
            type="link"
            size="small"
            data-testid={`open-batch-${id}`}
            onClick={() => onOpen(id)}
          >
            {format.instant(createdAt)}
          </Button>
        ),
      },
      {
        title: t('log.state'),
        width: 110,
        key: 'state',
        render: (_, { state }) => <BatchBadge state={state} />,
      },
      {
        title: t('batch.progress'),
        width: 280,
        key: 'progress',
        render: (_, batch) => <BatchCounts batch={batch} />,
      },
      {
        title: t('log.priority'),
        width: 90,
        key: 'priority',
        render: (_, { priority }) => t(`order.priorities.${priority}`, { ns: 'common' }),
      },
      ...actorColumns,
    ],
    [t, format, onOpen, actorColumns],
  )
}
