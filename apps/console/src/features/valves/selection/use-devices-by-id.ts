import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { devicesByIdQuery } from './devices-by-id-query.ts'
import { type KeptFound, keepFound } from './last-found.ts'
import { noValves } from './list-valves.ts'
import { valvesQuery } from './valves-query.ts'

const noDevices: readonly Device[] = []
const noNodes: readonly NodeKey[] = []

/**
 * Valves by their ids; one that is not the caller's is missing. Those below `nodes`, which the page has loaded anyway,
 * come first, then the others, both in tree order. What was found stands while `nodes` change.
 */
export function useDevicesById(ids: readonly number[], nodes: readonly NodeKey[] | undefined) {
  const hasNodes = ids.length > 0 && nodes !== undefined
  const near = useQuery({ ...valvesQuery(nodes ?? noNodes), enabled: hasNodes })
  const { devices, isWhole } = (hasNodes && near.data) || noValves
  const { nearby, missing } = useMemo(() => {
    const wanted = new Set(ids)
    const nearby = devices.filter(({ id }) => wanted.has(id))
    for (const { id } of nearby) wanted.delete(id)
    return { nearby, missing: [...wanted] }
  }, [ids, devices])
  const isElsewhere = missing.length > 0 && (!hasNodes || isWhole || near.isError)
  const others = useQuery({ ...devicesByIdQuery(missing), enabled: isElsewhere })
  const elsewhere = isElsewhere ? others.data : missing.length === 0 ? noDevices : undefined
  const found = useMemo(() => elsewhere && [...nearby, ...elsewhere], [nearby, elsewhere])
  const [before, setBefore] = useState<KeptFound>()
  const kept = keepFound(before, ids, found)
  if (kept !== before) setBefore(kept)
  const isFailed = !kept && isElsewhere && others.isError
  return {
    found: kept?.found ?? noDevices,
    query: { isPending: !kept && !isFailed, isError: isFailed, error: others.error, refetch: others.refetch },
  }
}
