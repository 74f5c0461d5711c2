import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

type Change<State> = (change: Partial<State>, options?: { readonly push?: boolean }) => void

/**
 * A page's state in its address, and what changes it. A change replaces the history entry unless it is one
 * the back button should undo.
 */
export function usePageUrl<State extends object>(
  parse: (search: URLSearchParams) => State,
  toSearch: (state: State) => URLSearchParams,
): readonly [State, Change<State>] {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  const state = useMemo(() => parse(new URLSearchParams(text)), [parse, text])
  const change: Change<State> = useCallback(
    (part, options) => {
      setSearch((present) => toSearch({ ...parse(present), ...part }), { replace: options?.push !== true })
    },
    [parse, toSearch, setSearch],
  )
  return [state, change]
}
