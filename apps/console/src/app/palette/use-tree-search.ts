import { searchTree, type TreeHit } from '@isotherm/contract/endpoints/network/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../shared/api/client.ts'

/** Pause in typing before a search, ms. */
const PAUSE_MS = 160
const MAX_HITS = 12
/** Longest text to search for, characters; the rest is ignored. */
const MAX_TEXT = 60
/** Time for which a result is cached after its last use. */
const CACHE_MS = 60_000

/** The text as it was when the user last paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

export interface TreeSearch {
  readonly hits: readonly TreeHit[]
  /** There are more than `hits`. */
  readonly more: boolean
  readonly searching: boolean
  readonly failure: Error | null
}

/**
 * Nodes and devices found by the server. A new search aborts the previous one. The last result stays until the next one
 * arrives.
 */
export function useTreeSearch(typed: string): TreeSearch {
  const text = typed.trim().slice(0, MAX_TEXT)
  const requested = usePaused(text)
  const { data, isFetching, error } = useQuery({
    queryKey: ['palette', requested],
    queryFn: ({ signal }) => call(searchTree, { text: requested, size: MAX_HITS }, { signal, quiet: true }),
    enabled: requested !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: CACHE_MS,
  })
  if (text === '') return { hits: [], more: false, searching: false, failure: null }
  return {
    hits: error ? [] : (data?.datalist ?? []),
    more: data?.more ?? false,
    searching: isFetching || requested !== text,
    failure: error,
  }
}
