import { setImmediate } from 'node:timers/promises'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { DeviceDirectory } from '../../devices/index.ts'

/** Devices that are read in one time slice of some ms. */
const DEVICES_PER_SLICE = 20_000

/** Ids of the active devices of some kinds at or below `paths`, ascending. */
export async function listBelow(
  directory: Pick<DeviceDirectory, 'below'>,
  paths: readonly string[],
  kinds: readonly DeviceKind[],
): Promise<readonly number[]> {
  const isRequested = new Set(kinds)
  const ids: number[] = []
  let scanned = 0
  for (const { id, kind } of directory.below(paths)) {
    scanned += 1
    if (scanned % DEVICES_PER_SLICE === 0) await setImmediate()
    if (isRequested.has(kind)) ids.push(id)
  }
  return ids.sort((left, right) => left - right)
}
