import type { Device } from '@isotherm/contract/devices'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { findDevices } from './find-devices.ts'

const noDevices: readonly Device[] = []

/**
 * The devices of these ids, in the order of the ids. `note` adds devices that were just found, so that they are not
 * fetched again. Without an answer yet, or outside the access of the user, a device is missing.
 */
export function useKnownDevices(ids: readonly number[]) {
  const [noted, setNoted] = useState(noDevices)
  const [requested, setRequested] = useState<readonly number[]>([])
  const known = useMemo(() => new Map(noted.map((device) => [device.id, device])), [noted])
  // Removed members stay in the list of requested ids: a removal must not fetch the others again.
  const wasRequested = useMemo(() => new Set(requested), [requested])
  const more = ids.filter((id) => !wasRequested.has(id) && !known.has(id))
  if (more.length > 0) setRequested([...requested, ...more])
  const query = useQuery({
    queryKey: ['group-members', requested],
    queryFn: ({ signal }) => findDevices('id', requested.map(String), signal),
    enabled: requested.length > 0,
    placeholderData: keepPreviousData,
  })
  const found = query.data ?? noDevices
  const devices = useMemo(() => {
    const all = new Map([...found, ...known.values()].map((device) => [device.id, device]))
    return ids.flatMap((id) => all.get(id) ?? [])
  }, [ids, found, known])
  return { devices, query, note: (added: readonly Device[]) => setNoted([...noted, ...added]) }
}
