import { setImmediate } from 'node:timers/promises'
import type { DeviceKind } from '@isotherm/contract/devices'
import { createCover, ROOT_PATH } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../../devices/index.ts'

/** Devices that are read in one time slice of some ms. */
const DEVICES_PER_SLICE = 20_000
/** Up to this number of paths, comparing each one is faster than splitting a path. */
const FEW_PATHS = 4

const toTest = (paths: readonly string[]): ((path: string) => boolean) => {
  if (paths.includes(ROOT_PATH)) return () => true
  return paths.length <= FEW_PATHS
    ? (path) => paths.some((granted) => path.startsWith(granted))
    : createCover(paths)
}

/** Ids of the active devices of some kinds at or below `paths`, ascending. */
export async function listBelow(
  directory: Pick<DeviceDirectory, 'entries'>,
  paths: readonly string[],
  kinds: readonly DeviceKind[],
): Promise<readonly number[]> {
  const isRequested = new Set(kinds)
  const isInside = toTest(paths)
  const ids: number[] = []
  let scanned = 0
  for (const { id, kind, path } of directory.entries()) {
    scanned += 1
    if (scanned % DEVICES_PER_SLICE === 0) await setImmediate()
    if (isRequested.has(kind) && isInside(path)) ids.push(id)
  }
  return ids.sort((left, right) => left - right)
}
