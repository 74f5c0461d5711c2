import { Button, Pagination } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../i18n/i18n.ts'
import { usePaused } from '../screen/use-paused.ts'
import { useIsMobile } from '../screen/use-width.ts'
import { Answer, type ShownQuery } from '../ui/answer.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { EmptyState } from '../ui/states.tsx'
import type { BulkAction } from './bulk-action.ts'
import { BulkDialog, type ChosenBulk } from './bulk-dialog.tsx'
import { ColumnChoice, useColumnChoice } from './column-choice.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { ListUrl } from './list-url.ts'
import { RecordCards } from './record-cards.tsx'
import { type RecordColumn, sortRecords } from './record-column.ts'
import type { RecordFilter } from './record-filter.ts'
import { RecordTable } from './record-table.tsx'
import styles from './records.module.css'

/** The records of the shown page, or all, with their number. */
export interface Records<Row> {
  readonly datalist: readonly Row[]
  readonly total: number
}

export interface RecordListProps<Row extends object> {
  /** Word of the page: name of its stored choices and exported file. */
  readonly name: string
  readonly query: ShownQuery<Records<Row>>
  /** Rows of one page, if the server searches, filters and pages. Without it the list does all of them itself. */
  readonly pageSize?: number
  /** Whether the server also sorts, by the columns that have a value. */
  readonly isServerSorted?: boolean
  readonly toKey: (row: Row) => string
  readonly toName: (row: Row) => string
  readonly columns: readonly RecordColumn<Row>[]
  readonly filters?: readonly RecordFilter[]
  /** Filters that are not a choice, such as a time range. */
  readonly controls?: ReactNode
  /** Loads every match for the exported file, if the server pages. Without it such a list has no export. */
  readonly loadAll?: () => Promise<readonly Row[]>
  /** Whether a record passes a filter of a list that the server does not filter. */
  readonly passes?: (row: Row, filter: string, value: string) => boolean
  /** Texts that the search covers, in a list that the server does not search. */
  readonly toSearched?: (row: Row) => readonly string[]
  readonly searchLabel: string
  readonly bulk?: readonly BulkAction<Row>[]
  /** Buttons such as add and import. */
  readonly actions?: ReactNode
  /** What to do about an empty list. */
  readonly emptyHint?: ReactNode
  readonly url: ListUrl
  readonly onUrl: (part: Partial<ListUrl>, options?: { readonly push?: boolean }) => void
}

const noFilters: readonly RecordFilter[] = []

/** The matching records of a list that is loaded whole, in the chosen order. */
function useMatches<Row extends object>(props: RecordListProps<Row>, rows: readonly Row[]): readonly Row[] {
  const { pageSize, columns, passes, toSearched, url } = props
  const language = useLanguage()
  const text = usePaused(url.text).trim().toLowerCase()
  return useMemo(() => {
    if (pageSize !== undefined) return rows
    const chosen = Object.entries(url.filters)
    const matching = rows.filter(
      (row) =>
        (text === '' || toSearched?.(row).some((each) => each.toLowerCase().includes(text))) &&
        chosen.every(([filter, value]) => passes?.(row, filter, value) ?? true),
    )
    const column = columns.find(({ key }) => key === url.sort)
    return sortRecords(matching, column, url.descending, language)
  }, [pageSize, rows, columns, passes, toSearched, text, url.filters, url.sort, url.descending, language])
}

/**
 * A list of records: search, filters, sortable virtual table with a choice of columns (cards on a phone), selection with
 * actions on many, and the matching records as a file.
 */
export function RecordList<Row extends object>(props: RecordListProps<Row>): ReactNode {
  const { name, query, pageSize, toKey, toName, columns, searchLabel, bulk, actions, emptyHint, url, onUrl } =
    props
  const { loadAll } = props
  const { t } = useTranslation('common')
  const isMobile = useIsMobile()
  const { shown, choose } = useColumnChoice(name, columns)
  const [chosen, setChosen] = useState<ChosenBulk<Row>>()
  const { data } = query
  const rows = useMatches(props, data?.datalist ?? [])
  const total = pageSize === undefined ? rows.length : (data?.total ?? 0)
  const picked = rows.filter((row) => url.picked.includes(toKey(row)))
  const offered = bulk?.filter(({ isOffered }) => data?.datalist.some(isOffered)) ?? []
  const view = {
    rows,
    columns: shown,
    toKey,
    picked: url.picked,
    isPickable: offered.length > 0,
    sort: url.sort,
    descending: url.descending,
    isSortable: pageSize === undefined || props.isServerSorted === true,
    onPick: (keys: readonly string[]) => onUrl({ picked: keys }),
    onSort: (sort: string | undefined, descending: boolean) => onUrl({ sort, descending, page: 1 }),
    onOpen: (row: Row) => onUrl({ open: toKey(row) }, { push: true }),
  }
  return (
    <PageFrame
      fill
      toolbar={
        <FilterBar
          url={url}
          onUrl={onUrl}
          searchLabel={searchLabel}
          filters={props.filters ?? noFilters}
          controls={props.controls}
        >
          {picked.length > 0 ? (
            <>
              <span>{t('record.picked', { count: picked.length })}</span>
              {offered.map((action) => (
                <Button
                  key={action.key}
                  icon={action.icon}
                  danger={action.danger === true}
                  data-testid={`bulk-${action.key}`}
                  onClick={() =>
                    'open' in action ? action.open(picked) : setChosen({ action, rows: picked })
                  }
                >
                  {action.label}
                </Button>
              ))}
            </>
          ) : (
            <span role="status" data-testid="record-total">
              {t('record.total', { count: total })}
            </span>
          )}
          {actions}
          {(pageSize === undefined || loadAll) && (
            <ExportButton
              name={name}
              columns={columns}
              isEmpty={total === 0}
              loadRows={loadAll ?? (async () => rows)}
            />
          )}
          {!isMobile && <ColumnChoice columns={columns} shown={shown} onChoose={choose} />}
        </FilterBar>
      }
    >
      <Answer query={query}>
        {(records) =>
          rows.length === 0 ? (
            records.total === 0 && url.text === '' && Object.keys(url.filters).length === 0 ? (
              <EmptyState title={t('record.none')} hint={emptyHint} />
            ) : (
              <EmptyState title={t('record.noMatch')} />
            )
          ) : isMobile ? (
            <RecordCards {...view} />
          ) : (
            <RecordTable {...view} />
          )
        }
      </Answer>
      {pageSize !== undefined && total > pageSize && (
        <Pagination
          className={styles.pages ?? ''}
          size="small"
          current={url.page}
          pageSize={pageSize}
          total={total}
          showSizeChanger={false}
          onChange={(page) => onUrl({ page, picked: [] })}
        />
      )}
      <BulkDialog
        chosen={chosen}
        toName={toName}
        onClose={(isChanged) => {
          setChosen(undefined)
          if (isChanged) onUrl({ picked: [] })
          if (isChanged) void query.refetch()
        }}
      />
    </PageFrame>
  )
}
