import { createCover, type Scope } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory, DevicesService } from '../../devices/index.ts'

export interface DeviceCheck {
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly directory: Pick<DeviceDirectory, 'findById'>
}

/**
 * The ids without duplicates, if the scope covers all of them. Throws device.not-found otherwise. Uses the directory;
 * only ids that are not in it, such as those of retired devices, are read from the database.
 */
export async function checkDevices(
  { devices, directory }: DeviceCheck,
  scope: Scope,
  deviceIds: readonly number[],
): Promise<readonly number[]> {
  const ids = [...new Set(deviceIds)]
  const isCovered = scope.kind === 'all' ? () => true : createCover(scope.paths)
  const unknown = ids.filter((id) => {
    const entry = directory.findById(id)
    return !entry || !isCovered(entry.path)
  })
  if (unknown.length > 0) await devices.getDevices(scope, unknown)
  return ids
}
