import { Table, type TableProps } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { EmptyState, type EmptyStateProps, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { type Listed, PagedCards } from './paged-cards.tsx'

/** The rows of a list with their query state. */
interface QueriedRows<Row> {
  /** The rows of the shown page, or all rows; and their total number. */
  readonly data: { readonly datalist: readonly Row[]; readonly total: number } | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

interface PagedTableProps<Row> extends Pick<TableProps<Row>, 'columns' | 'expandable' | 'rowSelection'> {
  readonly rows: QueriedRows<Row>
  /** Text for an empty list. */
  readonly empty: Pick<EmptyStateProps, 'title' | 'hint'>
  /** Shown above the rows, if there are any. */
  readonly head?: ReactNode
  readonly widthPx: number
  /** Content of the card of a row. */
  readonly toCard: (row: Row) => ReactNode
  readonly testId: string
  readonly pageSize: number
  /** The shown page, from 1, if the server sends single pages. Without it the table pages all rows itself. */
  readonly page?: number
  readonly onPage?: (page: number) => void
}

/** A paged table of batches, commands or holds; cards on a phone. Also shows the loading, empty and error states. */
export function PagedTable<Row extends Listed>(props: PagedTableProps<Row>) {
  const { rows, empty, head, widthPx, testId, pageSize, page, onPage, toCard, rowSelection, ...table } = props
  const { t } = useTranslation('valves')
  const isMobile = useIsMobile()
  const total = rows.data?.total ?? 0
  const last = Math.ceil(total / pageSize)
  // The address may name a page that no longer exists.
  const isPast = page !== undefined && last > 0 && page > last && rows.data?.datalist.length === 0
  useEffect(() => {
    if (isPast) onPage?.(last)
  }, [isPast, onPage, last])
  if (rows.error) return <ErrorState error={rows.error} onRetry={rows.refetch} />
  if (!rows.data || isPast) return <LoadingState />
  if (total === 0) return <EmptyState {...empty} />
  const pagination = {
    pageSize,
    total,
    showSizeChanger: false,
    showTotal: (count: number) => t('log.total', { total: count }),
    ...(page === undefined ? {} : { current: page }),
    ...(onPage ? { onChange: onPage } : {}),
  }
  return (
    <>
      {head}
      {isMobile ? (
        <PagedCards
          rows={rows.data.datalist}
          isWhole={page === undefined}
          pagination={pagination}
          testId={testId}
          toCard={toCard}
        />
      ) : (
        <Table<Row>
          {...table}
          {...(rowSelection && {
            rowSelection: {
              ...rowSelection,
              columnTitle: (checkbox) => <HeadOnce>{checkbox}</HeadOnce>,
            },
          })}
          size="small"
          rowKey="id"
          dataSource={rows.data.datalist}
          scroll={{ x: widthPx }}
          data-testid={testId}
          pagination={pagination}
        />
      )}
    </>
  )
}

/** antd repeats the column titles in a hidden row to measure columns. This makes the hidden copy inert. */
const HeadOnce = ({ children }: { readonly children: ReactNode }) => (
  <span
    ref={(element) => {
      if (element) element.inert = element.closest('[aria-hidden="true"]') !== null
    }}
  >
    {children}
  </span>
)
