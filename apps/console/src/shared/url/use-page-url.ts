import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { createRequestedSearch } from './url-search.ts'

type Change<State> = (change: Partial<State>, options?: { readonly push?: boolean }) => void

/**
 * State of a page in its address, and its setter. A change replaces the history entry unless the back button should
 * undo it.
 */
export function usePageUrl<State extends object>(
  parse: (search: URLSearchParams) => State,
  toSearch: (state: State) => URLSearchParams,
): readonly [State, Change<State>] {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  const state = useMemo(() => parse(new URLSearchParams(text)), [parse, text])
  const [requested] = useState(createRequestedSearch)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address shows another query
  useEffect(() => requested.forget(), [text])
  const change: Change<State> = useCallback(
    (part, options) => {
      const toNext = (present: URLSearchParams): URLSearchParams => {
        const next = toSearch({ ...parse(requested.from(present)), ...part })
        requested.note(present, next)
        return next
      }
      setSearch(toNext, { replace: options?.push !== true })
    },
    [parse, toSearch, setSearch, requested],
  )
  return [state, change]
}
