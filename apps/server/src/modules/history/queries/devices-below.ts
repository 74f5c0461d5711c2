import { setImmediate } from 'node:timers/promises'
import type { DeviceKind } from '@isotherm/contract/devices'
import { createCover, ROOT_PATH } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../../devices/index.ts'

/** Devices looked at before others get their turn, some milliseconds. */
const AT_ONCE = 20_000
/** Of so few paths each is compared by itself, which is faster than to take a path apart. */
const FEW_PATHS = 4

const toTest = (paths: readonly string[]): ((path: string) => boolean) => {
  if (paths.includes(ROOT_PATH)) return () => true
  return paths.length <= FEW_PATHS
    ? (path) => paths.some((granted) => path.startsWith(granted))
    : createCover(paths)
}

/** Ids of the devices in use of some kinds that are one of `paths` or below one, ascending. */
export async function listBelow(
  directory: Pick<DeviceDirectory, 'entries'>,
  paths: readonly string[],
  kinds: readonly DeviceKind[],
): Promise<readonly number[]> {
  const isAsked = new Set(kinds)
  const isInside = toTest(paths)
  const ids: number[] = []
  let looked = 0
  for (const { id, kind, path } of directory.entries()) {
    looked += 1
    if (looked % AT_ONCE === 0) await setImmediate()
    if (isAsked.has(kind) && isInside(path)) ids.push(id)
  }
  return ids.sort((left, right) => left - right)
}
