import { CheckOutlined } from '@ant-design/icons'
import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { Button, type TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import { listenForSort, type TableSort, toSortable } from '../../../shared/ui/table-sort.ts'
import { type SortKey, sortKeys } from '../filter/alarms-url.ts'
import { AlarmName, AlarmNote, AlarmPlace, AlarmValue } from '../parts/alarm-parts.tsx'
import styles from '../parts/alarms.module.css'
import { StateBadge } from '../parts/state-badge.tsx'

export interface AlarmListProps {
  readonly alarms: readonly Alarm[]
  readonly picked: readonly number[]
  /** Unix ms. */
  readonly now: number
  /** Whether the user may handle any of the alarms. */
  readonly isActionable: boolean
  readonly onOpen: (id: number) => void
  readonly onPick: (ids: readonly number[]) => void
  readonly onAcknowledge: (alarm: Alarm) => void
}

/** Undefined if the list is incomplete: then only the order of the server is correct. */
interface AlarmTableProps extends AlarmListProps, TableSort<SortKey> {
  readonly onSort: (sort: SortKey, descending: boolean) => void
}

/** Fits beside the tree on a screen 1,440 px wide. */
const WIDTH_PX = 1_126

/** The list as a table, for a wide screen. Only visible rows are rendered. */
export function AlarmTable(props: AlarmTableProps) {
  const { alarms, picked, isActionable, onOpen, onPick, onSort } = props
  const columns = useColumns(props)
  return (
    <DenseTable<Alarm>
      rowKey="id"
      widthPx={WIDTH_PX}
      columns={columns}
      dataSource={alarms}
      onChange={listenForSort(sortKeys, 'worst', onSort)}
      showSorterTooltip={false}
      data-testid="alarm-table"
      rowClassName={({ state }) => (state === 'active' ? (styles.fresh ?? '') : '')}
      onRow={({ id }) => ({ onClick: () => onOpen(id), className: styles.row ?? '' })}
      {...(isActionable && {
        rowSelection: {
          columnWidth: 36,
          selectedRowKeys: [...picked],
          onChange: (_, rows) => onPick(rows.map(({ id }) => id)),
          getCheckboxProps: ({ abilities }) => ({ disabled: abilities.length === 0 }),
          onCell: () => ({ onClick: (event) => event.stopPropagation() }),
        },
      })}
    />
  )
}

function useColumns({ sort, descending, now, isActionable, onOpen, onAcknowledge }: AlarmTableProps) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  return useMemo((): TableColumnsType<Alarm> => {
    const sortable = (key: SortKey) => toSortable(key, { sort, descending })
    return [
      {
        title: t('column.severity'),
        width: 96,
        ...sortable('severity'),
        render: (_, { severity }) => <SeverityBadge severity={severity} />,
      },
      {
        title: t('column.kind'),
        width: 196,
        ...sortable('kind'),
        render: (_, alarm) => (
          <button
            type="button"
            className={`bare ${styles.link}`}
            data-testid={`alarm-${alarm.id}`}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(alarm.id)
            }}
          >
            <AlarmName alarm={alarm} />
          </button>
        ),
      },
      {
        title: t('column.place'),
        width: 206,
        ...sortable('place'),
        render: (_, alarm) => <AlarmPlace {...alarm} whole />,
      },
      {
        title: t('column.value'),
        width: 98,
        align: 'end',
        ...sortable('value'),
        render: (_, alarm) => <AlarmValue alarm={alarm} />,
      },
      {
        title: t('column.raised'),
        width: 92,
        ...sortable('raised'),
        render: (_, { raisedAt }) => (
          <span className="age" title={format.instant(raisedAt)}>
            {format.age(raisedAt, now)}
          </span>
        ),
      },
      {
        title: t('column.state'),
        width: 184,
        ...sortable('state'),
        render: (_, { state }) => <StateBadge state={state} />,
      },
      {
        title: t('column.who'),
        key: 'who',
        width: 92,
        ellipsis: true,
        render: (_, alarm) => <AlarmNote alarm={alarm} />,
      },
      ...(isActionable
        ? [
            {
              key: 'act',
              width: 126,
              render: (_: unknown, alarm: Alarm) =>
                alarm.abilities.includes('acknowledge') && (
                  <Button
                    size="small"
                    icon={<CheckOutlined />}
                    data-testid={`acknowledge-${alarm.id}`}
                    onClick={(event) => {
                      event.stopPropagation()
                      onAcknowledge(alarm)
                    }}
                  >
                    {t('act.acknowledge')}
                  </Button>
                ),
            },
          ]
        : []),
    ]
  }, [t, format, sort, descending, now, isActionable, onOpen, onAcknowledge])
}
