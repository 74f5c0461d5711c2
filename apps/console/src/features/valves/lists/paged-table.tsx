import { Table, type TableProps } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, type EmptyStateProps, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { useIsMobile } from '../../../shared/ui/use-width.ts'
import { type Listed, PagedCards } from './paged-cards.tsx'

/** What a list asks the server for, and where it stands. */
interface AskedRows<Row> {
  /** Rows of the page on show, or all of them; and how many there are in all. */
  readonly data: { readonly datalist: readonly Row[]; readonly total: number } | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

interface PagedTableProps<Row> extends Pick<TableProps<Row>, 'columns' | 'expandable' | 'rowSelection'> {
  readonly rows: AskedRows<Row>
  /** What is said when there is none. */
  readonly empty: Pick<EmptyStateProps, 'title' | 'hint'>
  /** What stands above the rows, when there are any. */
  readonly head?: ReactNode
  readonly widthPx: number
  /** What a card shows of a row. */
  readonly toCard: (row: Row) => ReactNode
  readonly testId: string
  readonly pageSize: number
  /** The page on show, from 1, where the server gives one at a time; the table pages by itself without. */
  readonly page?: number
  readonly onPage?: (page: number) => void
}

/** A list of orders or holds in pages, on a phone one card a row; or why there is none. */
export function PagedTable<Row extends Listed>(props: PagedTableProps<Row>) {
  const { rows, empty, head, widthPx, testId, pageSize, page, onPage, toCard, rowSelection, ...table } = props
  const { t } = useTranslation('valves')
  const isMobile = useIsMobile()
  const total = rows.data?.total ?? 0
  const last = Math.ceil(total / pageSize)
  // An address may name a page that is no more.
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

/** antd repeats the heads in a hidden row that measures columns: there they take no focus. */
const HeadOnce = ({ children }: { readonly children: ReactNode }) => (
  <span
    ref={(element) => {
      if (element) element.inert = element.closest('[aria-hidden="true"]') !== null
    }}
  >
    {children}
  </span>
)
