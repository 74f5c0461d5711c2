import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { valvesQuery } from './queries.ts'

const noDevices: readonly Device[] = []

/**
 * Valves by their ids, in tree order; one that is not the caller's is missing. They are looked for below `nodes`,
 * which the page has loaded anyway, and only what is not there among all.
 */
export function useDevicesById(ids: readonly number[], nodes: readonly NodeKey[]) {
  const wanted = useMemo(() => new Set(ids), [ids])
  const near = useQuery({ ...valvesQuery(nodes), enabled: wanted.size > 0 })
  const nearby = useMemo(
    () => (near.data ?? noDevices).filter(({ id }) => wanted.has(id)),
    [near.data, wanted],
  )
  const isElsewhere = near.isError || (near.isSuccess && nearby.length < wanted.size)
  const all = useQuery({ ...valvesQuery([]), enabled: wanted.size > 0 && isElsewhere })
  const everywhere = useMemo(
    () => (all.data ?? noDevices).filter(({ id }) => wanted.has(id)),
    [all.data, wanted],
  )
  const query = isElsewhere ? all : near
  return {
    found: isElsewhere ? everywhere : nearby,
    query: {
      isPending: wanted.size > 0 && query.isPending,
      isError: query.isError,
      isSuccess: wanted.size === 0 || query.isSuccess,
      error: query.error,
      refetch: query.refetch,
    },
  }
}
