import type { DeviceState } from '@isotherm/contract/devices'
import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getRooms, Room } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { useShownStates } from '../live/use-shown-states.ts'
import type { ShownQuery } from '../ui/answer.tsx'

/** How long after a new value the rooms are judged again, ms: their order, states, reasons and counts. */
export const JUDGE_AFTER_MS = 5_000
/** Among more rooms a new value comes all the time; they wait for the interval of the query. */
const MAX_JUDGED = 100

const none: readonly Room[] = []

function withNewest(room: Room, state: DeviceState | undefined): Room {
  const roomC = state?.metrics['temp.room']
  if (!state || roomC === undefined || state.ts <= (room.newest?.at ?? 0)) return room
  return { ...room, newest: { roomC, at: state.ts, quality: state.quality } }
}

/**
 * A query of rooms with the values that arrived after its answer. The server judges rooms by the rules of their places, so
 * the query is refetched some seconds after a new value.
 */
export function useLiveRooms(
  query: ShownQuery<OutputOf<typeof getRooms>>,
): ShownQuery<OutputOf<typeof getRooms>> {
  const { data, error, dataUpdatedAt, refetch } = query
  const states = useShownStates('room-sensor', data?.datalist.map(({ device }) => device) ?? [])
  const live = useMemo(
    () =>
      data && {
        ...data,
        datalist: data.datalist.map((room) => withNewest(room, states.get(room.device.id))),
      },
    [data, states],
  )
  const rooms = data?.datalist ?? none
  const isBehind = rooms.length <= MAX_JUDGED && rooms.some((room, index) => room !== live?.datalist[index])
  const judgeAgain = useEffectEvent(() => void refetch())
  useEffect(() => {
    if (!isBehind) return
    const timer = setTimeout(judgeAgain, JUDGE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isBehind])
  return { data: live, error, dataUpdatedAt, refetch }
}
