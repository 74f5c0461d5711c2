import type { Command, ValveHold } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { type LiveView, useLiveStates } from '../../../shared/live/use-live.ts'
import { lastCommandsQuery } from '../commands/command-queries.ts'
import { useHolds } from '../holds/use-holds.ts'
import type { ValveRow } from '../rows/valve-row.ts'
import { areTooMany, noValves } from '../selection/list-valves.ts'
import { PAGE_SIZE, valvesQuery } from '../selection/valves-query.ts'
import { useSampled } from './use-sampled.ts'

/** The last commands of the devices, in one query per page of devices. A new page fetches only its own. */
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

interface Known {
  readonly devices: readonly Device[]
  readonly states: StateLookup
  /** Whether the states of all devices have arrived. */
  readonly ready: boolean
  readonly commandOf: ReadonlyMap<number, Command>
  readonly holdOf: ReadonlyMap<number, ValveHold>
}

const toRow = (
  device: Device,
  { states, commandOf, holdOf }: Omit<Known, 'devices' | 'ready'>,
): ValveRow => ({
  device,
  state: states.get(device.id),
  command: commandOf.get(device.id),
  hold: holdOf.get(device.id),
})

const toRows = ({ devices, ready, ...known }: Known): readonly ValveRow[] =>
  (ready ? devices : devices.filter(({ id }) => known.states.has(id))).map((device) => toRow(device, known))

/** With more valves than this, rows are rebuilt once per tick only: several change in every frame. */
const FEW_VALVES = 2_000

/**
 * The valves below the nodes with live values, newest commands and holds, in tree order. While loading, only valves whose
 * state has arrived. With many valves, `rows` are rebuilt once per `tick` (any number that changes periodically);
 * `toCurrentRow` updates one row to the newest values.
 */
export function useValveRows(nodes: readonly NodeKey[], tick: number) {
  const valves = useQuery(valvesQuery(nodes))
  const listed = valves.data ?? noValves
  const { devices, total, isWhole } = listed
  const commands = useLastCommands(devices)
  // Too many valves are not listed, so their values are not subscribed.
  const isWatched = valves.data !== undefined && !areTooMany(listed)
  const live: LiveView = useLiveStates(isWatched ? { nodes, kinds: ['valve'] } : undefined)
  const { states, ready } = live
  const { holdOf } = useHolds(nodes)
  const commandOf = useMemo(() => new Map(commands.map((command) => [command.deviceId, command])), [commands])
  const current = useMemo(
    () => ({ devices, states, ready, commandOf, holdOf, isWhole: isWhole && (ready || !isWatched) }),
    [devices, states, ready, commandOf, holdOf, isWhole, isWatched],
  )
  const sampled = useSampled(current, tick, devices.length > FEW_VALVES)
  const rows = useMemo(() => toRows(sampled), [sampled])
  const toCurrentRow = useCallback(({ device }: ValveRow) => toRow(device, current), [current])
  return { valves, rows, toCurrentRow, live, total, isWhole: sampled.isWhole }
}
