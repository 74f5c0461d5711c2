import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { devicesByIdQuery } from './devices-by-id-query.ts'
import { type LastFound, updateLastFound } from './last-found.ts'
import { noValves } from './list-valves.ts'
import { valvesQuery } from './valves-query.ts'

const noDevices: readonly Device[] = []
const noNodes: readonly NodeKey[] = []

/**
 * Valves by their ids. Valves outside the access of the user are missing. First the valves below `nodes`, which the page
 * has loaded anyway, then the others, both in tree order. The last result stays while `nodes` change.
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
  const [last, setLast] = useState<LastFound>()
  const current = updateLastFound(last, ids, found)
  if (current !== last) setLast(current)
  const isFailed = !current && isElsewhere && others.isError
  return {
    found: current?.found ?? noDevices,
    query: {
      isPending: !current && !isFailed,
      isError: isFailed,
      error: others.error,
      refetch: others.refetch,
    },
  }
}
