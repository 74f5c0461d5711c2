import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type KeptFound, keepFound } from './kept-found.ts'
import { noValves } from './list-valves.ts'
import { valvesQuery } from './queries.ts'

const noDevices: readonly Device[] = []
const everyNode: readonly NodeKey[] = []

/**
 * Valves by their ids, in tree order; one that is not the caller's is missing. They are looked for below `nodes`,
 * which the page has loaded anyway, and only what is not there among all. What was found stands while `nodes` change.
 */
export function useDevicesById(ids: readonly number[], nodes: readonly NodeKey[] = everyNode) {
  const wanted = useMemo(() => new Set(ids), [ids])
  const near = useQuery({ ...valvesQuery(nodes), enabled: wanted.size > 0 })
  const nearby = useMemo(
    () => (near.data ?? noValves).devices.filter(({ id }) => wanted.has(id)),
    [near.data, wanted],
  )
  const isElsewhere = near.isError || (near.data?.isWhole === true && nearby.length < wanted.size)
  const all = useQuery({ ...valvesQuery(everyNode), enabled: wanted.size > 0 && isElsewhere })
  const everywhere = useMemo(
    () => (all.data ?? noValves).devices.filter(({ id }) => wanted.has(id)),
    [all.data, wanted],
  )
  const query = isElsewhere ? all : near
  const among = isElsewhere ? everywhere : nearby
  // Found as soon as all are, which may be before the last page is listed.
  const isFound = among.length === wanted.size || query.data?.isWhole === true
  const [before, setBefore] = useState<KeptFound>()
  const kept = keepFound(before, ids, isFound ? among : undefined)
  if (kept !== before) setBefore(kept)
  return {
    found: kept?.found ?? noDevices,
    query: {
      isPending: !kept && !query.isError,
      isError: !kept && query.isError,
      error: query.error,
      refetch: query.refetch,
    },
  }
}
