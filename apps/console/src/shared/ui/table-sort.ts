import type { TableProps } from 'antd'

/** What the rows of a table are sorted by; they come in order, and the table only says which. */
export interface TableSort<Key extends string> {
  /** Absent where no column may sort them. */
  readonly sort: Key | undefined
  readonly descending: boolean
}

/** A column that rows can be sorted by, with whether they are. */
export const toSortable = <Key extends string>(key: Key, { sort, descending }: TableSort<Key>) =>
  sort === undefined
    ? { key }
    : {
        key,
        sorter: true,
        sortOrder: sort === key ? (descending ? ('descend' as const) : ('ascend' as const)) : null,
      }

/** What a click at the head of a table asks for: one of the keys, or where it asks for none the plain order. */
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
