import type { Device } from '@isotherm/contract/devices'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'

/** Longest list of values in one condition, characters (contract, filterItem). */
const MAX_CHARACTERS = 2_000

/** The values in parts that each fit into one condition. */
export function toParts(values: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = []
  let room = 0
  for (const value of values) {
    const last = parts.at(-1)
    if (last && value.length + 1 <= room) {
      last.push(value)
      room -= value.length + 1
    } else {
      parts.push([value])
      room = MAX_CHARACTERS - value.length
    }
  }
  return parts
}

/** Devices by their ids or serials, in use or retired. Devices outside the access of the user are missing. */
export async function findDevices(
  field: 'id' | 'imei',
  values: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Device[]> {
  const found: Device[] = []
  for (const part of toParts(values)) {
    const filter = [{ field, cond: 'in' as const, vstd: part.join() }]
    const list = await listAll(
      (limiter) => call(getDev, { filter, limiter }, { signal }),
      ({ id }) => id,
    )
    found.push(...list)
  }
  return found
}
