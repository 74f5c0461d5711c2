import type { InputOf } from '@isotherm/contract/endpoint'
import { getGroupSchedule, setGroupSchedule } from '@isotherm/contract/endpoints/control/group-schedules'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Refetch interval, ms: as time passes, the next order becomes the last one. */
const REFETCH_MS = 30_000

export const scheduleKey = (groupId: number) => ['valves', 'group-schedule', groupId] as const

export const scheduleQuery = (groupId: number) =>
  queryOptions({
    queryKey: scheduleKey(groupId),
    queryFn: ({ signal }) => call(getGroupSchedule, { groupId }, { signal }),
    refetchInterval: REFETCH_MS,
  })

export const saveSchedule = (input: InputOf<typeof setGroupSchedule>) => call(setGroupSchedule, input)
