import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LiveView, useLiveStates } from '../../shared/live/use-live.ts'
import { useHolds } from './holds/use-holds.ts'
import { lastCommandsQuery, valvesQuery } from './queries.ts'
import type { ValveRow } from './valve-row.ts'

const noDevices: readonly Device[] = []

/** The valves below some nodes with their live values and newest commands and holds, in tree order. */
export function useValveRows(nodes: readonly NodeKey[]) {
  const valves = useQuery(valvesQuery(nodes))
  const devices = valves.data ?? noDevices
  const ids = useMemo(() => devices.map(({ id }) => id), [devices])
  const commands = useQuery(lastCommandsQuery(ids))
  const live: LiveView = useLiveStates({ nodes, kinds: ['valve'] })
  const { holdOf } = useHolds(nodes)
  const newest = commands.data?.datalist
  const commandOf = useMemo(() => new Map(newest?.map((command) => [command.deviceId, command])), [newest])
  const rows = useMemo(
    () =>
      devices.map(
        (device): ValveRow => ({
          device,
          state: live.states.get(device.id),
          command: commandOf.get(device.id),
          hold: holdOf.get(device.id),
        }),
      ),
    [devices, live.states, commandOf, holdOf],
  )
  return { valves, rows, live }
}
