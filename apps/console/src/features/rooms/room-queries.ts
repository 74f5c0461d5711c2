import type { InputOf } from '@isotherm/contract/endpoint'
import { getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

const REFRESH_MS = 20_000

/** Rooms with their newest values. */
export const roomsQuery = (input: InputOf<typeof getRooms>) =>
  queryOptions({
    queryKey: ['rooms', 'now', input],
    queryFn: ({ signal }) => call(getRooms, input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
