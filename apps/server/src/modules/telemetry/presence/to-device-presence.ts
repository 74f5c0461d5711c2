import type { DevicePresence } from '@isotherm/contract/devices'
import type { PresenceWatch } from './presence-watch.ts'

/** The presence of a device as users see it. A device that has never reported is not silent: it is not installed yet. */
export function toDevicePresence(
  presence: Pick<PresenceWatch, 'find' | 'findSeen'>,
  deviceId: number,
): DevicePresence {
  const state = presence.find(deviceId) ?? 'silent'
  return state === 'present' || presence.findSeen(deviceId) !== undefined ? state : 'never'
}
