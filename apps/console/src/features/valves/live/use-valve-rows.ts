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

interface Known {
  readonly devices: readonly Device[]
  readonly states: StateLookup
  /** The states of all of them are there. */
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

/** The rows of more valves than this are made anew at each beat only: several change in every frame. */
const FEW_VALVES = 2_000

/**
 * The valves below some nodes with their live values and newest commands and holds, in tree order. Until all is there it
 * is those of which both are known: their place, and what they said last. Of many valves `rows` are as old as the last
 * beat, a number that changes now and then; `toPresent` makes of one what is known by now.
 */
export function useValveRows(nodes: readonly NodeKey[], beat: number) {
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
  const present = useMemo(
    () => ({ devices, states, ready, commandOf, holdOf, isWhole: isWhole && (ready || !isWatched) }),
    [devices, states, ready, commandOf, holdOf, isWhole, isWatched],
  )
  const sampled = useSampled(present, beat, devices.length > FEW_VALVES)
  const rows = useMemo(() => toRows(sampled), [sampled])
  const toPresent = useCallback(({ device }: ValveRow) => toRow(device, present), [present])
  return { valves, rows, toPresent, live, total, isWhole: sampled.isWhole }
}
