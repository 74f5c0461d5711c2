import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { usePageUrl } from '../url/use-page-url.ts'
import { type ListUrlParser, NEW } from './list-url.ts'
import type { Records } from './record-list.tsx'

interface RecordPageOptions<Row> {
  readonly address: ListUrlParser
  readonly queryKey: readonly unknown[]
  readonly load: (signal: AbortSignal | undefined) => Promise<Records<Row>>
  readonly toKey: (row: Row) => string
}

/** State of a page with a list that is loaded whole: its address, its records, and the record in the open drawer. */
export function useRecordPage<Row>({ address, queryKey, load, toKey }: RecordPageOptions<Row>) {
  const client = useQueryClient()
  const [url, change] = usePageUrl(address.parse, address.toSearch)
  const query = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
  const find = (rows: readonly Row[] | undefined): Row | undefined =>
    rows?.find((row) => toKey(row) === url.open)
  const close = useCallback(() => change({ open: undefined }), [change])
  return {
    url,
    change,
    query,
    /** The record in the open drawer. */
    record: find(query.data?.datalist),
    isNew: url.open === NEW,
    add: () => change({ open: NEW }, { push: true }),
    close,
    /** Closes the drawer after a change, and loads the list again. */
    onDone: () => {
      void client.invalidateQueries({ queryKey })
      close()
    },
    /** Loads the list again and returns the newest state of the record in the open drawer. */
    reload: async (): Promise<Row | undefined> => find((await query.refetch()).data?.datalist),
  }
}
