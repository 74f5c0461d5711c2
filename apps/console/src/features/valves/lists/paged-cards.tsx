import { Pagination, type PaginationProps } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from './paged-cards.module.css'

/** A row with an id. */
export interface Listed {
  readonly id: string | number
}

interface PagedCardsProps<Row> {
  readonly rows: readonly Row[]
  /** True if `rows` are all rows, not one page of them: then the component pages them itself. */
  readonly isWhole: boolean
  readonly pagination: PaginationProps & { readonly pageSize: number }
  readonly testId: string
  readonly toCard: (row: Row) => ReactNode
}

/** One card per row, for a narrow screen. */
export function PagedCards<Row extends Listed>(props: PagedCardsProps<Row>) {
  const { rows, isWhole, pagination, testId, toCard } = props
  const { pageSize } = pagination
  const [wanted, setWanted] = useState(1)
  // There may be fewer rows by now.
  const page = Math.min(wanted, Math.max(1, Math.ceil(rows.length / pageSize)))
  const shown = isWhole ? rows.slice((page - 1) * pageSize, page * pageSize) : rows
  return (
    <>
      <ul className={styles.cards} data-testid={testId}>
        {shown.map((row) => (
          <li key={row.id}>{toCard(row)}</li>
        ))}
      </ul>
      <Pagination
        size="small"
        align="end"
        {...pagination}
        {...(isWhole && { current: page, onChange: setWanted })}
      />
    </>
  )
}
