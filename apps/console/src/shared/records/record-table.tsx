import type { TableColumnsType } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { DenseTable } from '../ui/dense-table.tsx'
import type { RecordColumn } from './record-column.ts'
import styles from './records.module.css'

export interface RecordViewProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly RecordColumn<Row>[]
  readonly toKey: (row: Row) => string
  readonly picked: readonly string[]
  /** Whether there is an action for selected records. */
  readonly isPickable: boolean
  readonly sort: string | undefined
  readonly descending: boolean
  readonly isSortable: boolean
  readonly onPick: (keys: readonly string[]) => void
  readonly onSort: (sort: string | undefined, descending: boolean) => void
  readonly onOpen: (row: Row) => void
}

const PICK_PX = 36

/** The records as a table. The first column is a button that opens the record; a click on the row opens it too. */
export function RecordTable<Row extends object>(props: RecordViewProps<Row>): ReactNode {
  const { rows, columns, toKey, picked, isPickable, sort, descending, isSortable } = props
  const { onPick, onSort, onOpen } = props
  const shown = useMemo(
    (): TableColumnsType<Row> =>
      columns.map(({ key, title, widthPx, render, value, align }, index) => ({
        key,
        title,
        width: widthPx,
        ellipsis: true,
        ...(align && { align }),
        ...(isSortable &&
          value && {
            sorter: true,
            sortOrder: sort === key ? (descending ? ('descend' as const) : ('ascend' as const)) : null,
          }),
        render: (_: unknown, row: Row) =>
          index === 0 ? (
            <button
              type="button"
              className={`bare ${styles.link}`}
              data-testid={`record-${toKey(row)}`}
              onClick={(event) => {
                event.stopPropagation()
                onOpen(row)
              }}
            >
              {render(row)}
            </button>
          ) : (
            render(row)
          ),
      })),
    [columns, isSortable, sort, descending, toKey, onOpen],
  )
  const widthPx = columns.reduce((sum, column) => sum + column.widthPx, isPickable ? PICK_PX : 0)
  return (
    <DenseTable<Row>
      rowKey={toKey}
      widthPx={widthPx}
      columns={shown}
      dataSource={rows}
      showSorterTooltip={false}
      data-testid="record-table"
      onRow={(row) => ({ onClick: () => onOpen(row), className: styles.row ?? '' })}
      onChange={(_page, _filters, sorter) => {
        const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
        onSort(order ? String(columnKey) : undefined, order === 'descend')
      }}
      {...(isPickable && {
        rowSelection: {
          columnWidth: PICK_PX,
          selectedRowKeys: [...picked],
          onChange: (_keys, selected) => onPick(selected.map(toKey)),
          onCell: () => ({ onClick: (event) => event.stopPropagation() }),
        },
      })}
    />
  )
}
