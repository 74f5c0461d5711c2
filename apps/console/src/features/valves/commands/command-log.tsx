import type { Command } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toChangeText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { useActorColumns, useValveColumn } from '../lists/list-columns.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import { CommandCard } from './command-card.tsx'
import { commandLogQuery, LIST_POLL_MS, LOG_PAGE_SIZE } from './command-queries.ts'
import { StepLine } from './step-line.tsx'

interface CommandLogProps {
  readonly nodes: readonly NodeKey[]
  readonly page: number
  readonly onPage: (page: number) => void
}

const WIDTH_PX = 860

/** The commands of the selected subtree, newest first. A row opens to show its steps. */
export function CommandLog({ nodes, page, onPage }: CommandLogProps) {
  const { t } = useTranslation('valves')
  const columns = useLogColumns()
  const log = useQuery({
    ...commandLogQuery(nodes, page),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_POLL_MS,
  })
  return (
    <PagedTable
      rows={log}
      empty={{ title: t('log.empty') }}
      columns={columns}
      widthPx={WIDTH_PX}
      toCard={(command) => <CommandCard command={command} />}
      testId="command-log"
      expandable={{ expandedRowRender: (command: Command) => <StepLine command={command} /> }}
      pageSize={LOG_PAGE_SIZE}
      page={page}
      onPage={onPage}
    />
  )
}

function useLogColumns(): TableColumnsType<Command> {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const valveColumn = useValveColumn<Command>()
  const actorColumns = useActorColumns<Command>()
  return useMemo(
    () => [
      {
        title: t('log.time'),
        width: 168,
        key: 'time',
        render: (_, { createdAt }) => format.instant(createdAt),
      },
      valveColumn,
      {
        title: t('log.change'),
        width: 120,
        key: 'change',
        render: (_, command) => toChangeText(format, command),
      },
      {
        title: t('log.state'),
        width: 150,
        key: 'state',
        render: (_, command) => <CommandBadge {...command} />,
      },
      ...actorColumns,
    ],
    [t, format, valveColumn, actorColumns],
  )
}
