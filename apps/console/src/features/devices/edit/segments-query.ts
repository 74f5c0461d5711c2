import type { Device } from '@isotherm/contract/devices'
import { getDev, getDevice } from '@isotherm/contract/endpoints/devices/devices'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Longest shown chain of replacements in each direction. */
const MAX_SEGMENTS = 5

async function findBefore(id: number, signal: AbortSignal): Promise<Device | undefined> {
  const filter = [{ field: 'replacedBy', cond: 'eq' as const, vstd: id }]
  const { datalist } = await call(getDev, { filter, limiter: { page: 1, size: 1 } }, { signal })
  return datalist[0]
}

/**
 * The devices that stood at a place one after the other, oldest first: each replaced the one before. Each has its own
 * readings and history.
 */
export const segmentsQuery = (device: Pick<Device, 'id' | 'version'>) =>
  queryOptions({
    queryKey: ['devices', 'segments', device.id, device.version],
    queryFn: async ({ signal }): Promise<readonly Device[]> => {
      const self = await call(getDevice, { id: device.id }, { signal })
      const segments = [self]
      for (let left = MAX_SEGMENTS; left > 0; left -= 1) {
        const before = await findBefore(segments[0]?.id ?? device.id, signal)
        if (!before) break
        segments.unshift(before)
      }
      for (let left = MAX_SEGMENTS; left > 0; left -= 1) {
        const next = segments.at(-1)?.replacedBy
        if (next === undefined) break
        segments.push(await call(getDevice, { id: next }, { signal }))
      }
      return segments
    },
  })
