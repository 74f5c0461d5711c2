import type { Command } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LiveView, useLiveStates } from '../../shared/live/use-live.ts'
import { useHolds } from './holds/use-holds.ts'
import { areTooMany, noValves } from './list-valves.ts'
import { lastCommandsQuery, PAGE_SIZE, valvesQuery } from './queries.ts'
import type { ValveRow } from './valve-row.ts'

/** Of as many devices at a time as are listed in one page, so that a page more asks for its own only. */
function useLastCommands(devices: readonly Device[]): readonly Command[] {
  const queries = useMemo(() => {
    const pages = Math.ceil(devices.length / PAGE_SIZE)
    return Array.from({ length: pages }, (_, page) =>
      lastCommandsQuery(devices.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map(({ id }) => id)),
    )
  }, [devices])
  return useQueries({ queries, combine: joinCommands })
}

const joinCommands = (
  pages: readonly Pick<UseQueryResult<{ readonly datalist: readonly Command[] }>, 'data'>[],
): readonly Command[] => pages.flatMap(({ data }) => data?.datalist ?? [])

/**
 * The valves below some nodes with their live values and newest commands and holds, in tree order. Until all is there it
 * is those of which both are known: their place, and what they said last.
 */
export function useValveRows(nodes: readonly NodeKey[]) {
  const valves = useQuery(valvesQuery(nodes))
  const listed = valves.data ?? noValves
  const { devices, total, isWhole } = listed
  const commands = useLastCommands(devices)
  // Of more valves than are listed nobody waits for values.
  const isWatched = valves.data !== undefined && !areTooMany(listed)
  const live: LiveView = useLiveStates(isWatched ? { nodes, kinds: ['valve'] } : undefined)
  const { states, ready } = live
  const { holdOf } = useHolds(nodes)
  const commandOf = useMemo(() => new Map(commands.map((command) => [command.deviceId, command])), [commands])
  const rows = useMemo(
    () =>
      devices.flatMap((device): ValveRow | [] => {
        const state = states.get(device.id)
        if (!state && !ready) return []
        return { device, state, command: commandOf.get(device.id), hold: holdOf.get(device.id) }
      }),
    [devices, states, ready, commandOf, holdOf],
  )
  return { valves, rows, live, total, isWhole: isWhole && (ready || !isWatched) }
}
