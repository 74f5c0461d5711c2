import type { Command } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Table, type TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { CommandBadge } from '../../shared/ui/command-badge.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { commandLogQuery, LIST_ASK_MS, LOG_PAGE_SIZE } from './queries.ts'
import { StepLine } from './step-line.tsx'

interface CommandLogProps {
  readonly nodes: readonly NodeKey[]
  readonly page: number
  readonly onPage: (page: number) => void
}

/** The commands of the selected subtree, newest first; a line opens to the steps it went through. */
export function CommandLog({ nodes, page, onPage }: CommandLogProps) {
  const { t } = useTranslation('valves')
  const columns = useLogColumns()
  const log = useQuery({
    ...commandLogQuery(nodes, page),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_ASK_MS,
  })
  if (log.isPending) return <LoadingState />
  if (log.isError) return <ErrorState error={log.error} onRetry={() => log.refetch()} />
  if (log.data.total === 0) return <EmptyState title={t('log.empty')} />
  return (
    <Table<Command>
      size="small"
      rowKey="id"
      columns={columns}
      dataSource={log.data.datalist}
      scroll={{ x: 860 }}
      data-testid="command-log"
      expandable={{ expandedRowRender: (command) => <StepLine command={command} /> }}
      pagination={{
        current: page,
        pageSize: LOG_PAGE_SIZE,
        total: log.data.total,
        showSizeChanger: false,
        showTotal: (total) => t('log.total', { total }),
        onChange: onPage,
      }}
    />
  )
}

function useLogColumns(): TableColumnsType<Command> {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return useMemo(
    () => [
      {
        title: t('log.time'),
        width: 168,
        key: 'time',
        render: (_, { createdAt }) => format.instant(createdAt),
      },
      {
        title: t('log.valve'),
        key: 'valve',
        render: (_, { nestaddr }) => (
          <span title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</span>
        ),
      },
      {
        title: t('log.change'),
        width: 120,
        key: 'change',
        render: (_, { previousPct, openingPct }) =>
          `${format.metric('valve.opening', previousPct)} → ${format.metric('valve.opening', openingPct)}`,
      },
      {
        title: t('log.state'),
        width: 150,
        key: 'state',
        render: (_, { state }) => <CommandBadge state={state} />,
      },
      { title: t('log.actor'), width: 110, dataIndex: 'actor', key: 'actor' },
      { title: t('log.reason'), dataIndex: 'reason', key: 'reason', ellipsis: true },
    ],
    [t, format],
  )
}
