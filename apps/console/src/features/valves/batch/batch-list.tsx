import type { CommandBatch } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import styles from './batch.module.css'
import { BatchBadge } from './batch-badge.tsx'
import { BatchBar } from './batch-bar.tsx'
import { countGroup } from './batch-figures.ts'
import { BATCH_PAGE_SIZE, batchListQuery } from './batch-queries.ts'

interface BatchListProps {
  readonly nodes: readonly NodeKey[]
  readonly page: number
  readonly onPage: (page: number) => void
  readonly onOpen: (batchId: string) => void
}

const WIDTH_PX = 1_000

/** Orders to valves of the selected subtree, newest first: who, why and how far each came. */
export function BatchList({ nodes, page, onPage, onOpen }: BatchListProps) {
  const { t } = useTranslation('valves')
  const columns = useBatchColumns(onOpen)
  const list = useQuery({ ...batchListQuery(nodes, page), placeholderData: keepPreviousData })
  if (list.isPending) return <LoadingState />
  if (list.isError) return <ErrorState error={list.error} onRetry={() => list.refetch()} />
  if (list.data.total === 0) return <EmptyState title={t('log.empty')} />
  return (
    <Table<CommandBatch>
      size="small"
      rowKey="id"
      columns={columns}
      dataSource={list.data.datalist}
      scroll={{ x: WIDTH_PX }}
      data-testid="batch-list"
      pagination={{
        current: page,
        pageSize: BATCH_PAGE_SIZE,
        total: list.data.total,
        showSizeChanger: false,
        showTotal: (total) => t('log.total', { total }),
        onChange: onPage,
      }}
    />
  )
}

function useBatchColumns(onOpen: (batchId: string) => void): TableColumnsType<CommandBatch> {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return useMemo(
    () => [
      {
        title: t('log.time'),
        width: 168,
        key: 'time',
        render: (_, { id, createdAt }) => (
          <Button type="link" size="small" data-testid={`open-batch-${id}`} onClick={() => onOpen(id)}>
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
        width: 240,
        key: 'progress',
        render: (_, batch) => (
          <div className={styles.listBar}>
            <BatchBar batch={batch} />
            <span className={styles.hint}>
              {t('batch.count', {
                total: batch.total,
                confirmed: countGroup(batch, 'confirmed'),
                failed: countGroup(batch, 'failed'),
                open: countGroup(batch, 'open'),
              })}
            </span>
          </div>
        ),
      },
      {
        title: t('log.priority'),
        width: 90,
        key: 'priority',
        render: (_, { priority }) => t(`priority.${priority}`),
      },
      { title: t('log.actor'), width: 110, dataIndex: 'actor', key: 'actor' },
      { title: t('log.reason'), dataIndex: 'reason', key: 'reason', ellipsis: true },
    ],
    [t, format, onOpen],
  )
}
