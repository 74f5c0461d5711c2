import { searchTree, type TreeHit } from '@isotherm/contract/endpoints/network/tree'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { isSearchable } from './search-text.ts'

const SEARCH_AFTER_MS = 300
const MAX_HITS = 30
const LONGEST = 60

function useDelayed(text: string, ms: number): string {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), text === '' ? 0 : ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return delayed
}

export interface TreeSearch {
  /** Undefined while the text is too short or the first answer is pending. */
  readonly hits: readonly TreeHit[] | undefined
  readonly more: boolean
  readonly searching: boolean
  readonly error: unknown
}

/** Searches the whole company, 0.3 s after the last key. Answers to older texts are dropped. */
export function useTreeSearch(keyword: string): TreeSearch {
  const text = useDelayed(keyword.trim().slice(0, LONGEST), SEARCH_AFTER_MS)
  const enabled = isSearchable(text)
  const { data, error, isFetching } = useQuery({
    queryKey: ['tree', 'search', text],
    queryFn: ({ signal }) => call(searchTree, { text, size: MAX_HITS }, { signal, quiet: true }),
    enabled,
  })
  const isCurrent = enabled && keyword.trim() !== ''
  return {
    hits: isCurrent ? data?.datalist : undefined,
    more: isCurrent && (data?.more ?? false),
    searching: isCurrent && isFetching,
    error: isCurrent ? error : undefined,
  }
}
