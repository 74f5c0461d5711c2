import type { TableProps } from 'antd'

/** Sort order of a table. The rows arrive sorted; the table only shows the order. */
export interface TableSort<Key extends string> {
  /** Absent if columns cannot be sorted. */
  readonly sort: Key | undefined
  readonly descending: boolean
}

/** Properties of a sortable column. */
export const toSortable = <Key extends string>(key: Key, { sort, descending }: TableSort<Key>) =>
  sort === undefined
    ? { key }
    : {
        key,
        sorter: true,
        sortOrder: sort === key ? (descending ? ('descend' as const) : ('ascend' as const)) : null,
      }

/** Creates the change handler of a table: a click on a column heading selects its key or the default order. */
export const listenForSort =
  <Row, Key extends string>(
    keys: readonly Key[],
    plain: Key,
    onSort: (sort: Key, descending: boolean) => void,
  ): NonNullable<TableProps<Row>['onChange']> =>
  (_, _filters, sorter) => {
    const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
    const key = keys.find((each) => each === columnKey)
    if (order && key) onSort(key, order === 'descend')
    else onSort(plain, false)
  }
