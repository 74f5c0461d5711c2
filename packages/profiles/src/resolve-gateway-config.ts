import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { FieldDevice, FieldLine, GatewayConfig } from '@isotherm/contract/gateway-config'
import { listRequests } from './encode-by-profile.ts'
import { shippedProfiles } from './shipped-profiles.ts'

/** A device of a line with its profile. */
export interface ResolvedDevice extends FieldDevice {
  readonly profileData: DeviceProfile
  /** Its name at the platform of its operator. */
  readonly platformId?: string
}

export type ResolvedLine = {
  readonly line: FieldLine
  readonly devices: readonly ResolvedDevice[]
}

/** Why a device of a configuration cannot be polled. */
export interface ConfigFault {
  readonly line: string
  readonly serial: string
  /** Positions of the line and of the device on it. */
  readonly at: readonly [line: number, device: number]
  readonly reason: 'unknown-profile' | 'wrong-driver' | 'bad-address' | 'same-address'
}

/**
 * Key of the address of a device. Two devices of one line must not have the same key: either both answer at once, or one
 * device is read under two names.
 */
const toPlace = ({
  address,
  profile,
  platformId = '',
}: FieldDevice & { readonly platformId?: string }): string =>
  `${platformId} ${address.toUpperCase().replace(/^0+(?=.)/, '')} ${profile}`

/** Whether the frames of a profile fit on a kind of line: Modbus TCP has headers that a serial bus does not have. */
export function fitsLine({ bus }: DeviceProfile, driver: FieldLine['driver']): boolean {
  switch (driver) {
    case 'modbus-tcp':
      return bus.driver === 'modbus' && bus.transport === 'tcp'
    case 'chirpstack-mqtt':
      return bus.driver === 'lorawan'
    // A Modbus reply does not name its registers, and this driver sends no requests that would.
    case 'northbound-http':
      return bus.driver !== 'modbus'
    case 'dtu-tcp':
    case 'dtu-mqtt':
      if (bus.driver === 'lorawan' || bus.driver === 'properties') return false
      return !(bus.driver === 'modbus' && bus.transport === 'tcp')
  }
}

function findFault(
  device: FieldDevice,
  profile: DeviceProfile | undefined,
  driver: FieldLine['driver'],
): ConfigFault['reason'] | undefined {
  if (profile === undefined) return 'unknown-profile'
  if (!fitsLine(profile, driver)) return 'wrong-driver'
  const requests = listRequests(profile, { address: device.address, sequence: 0 })
  return requests === undefined ? 'bad-address' : undefined
}

/** The lines of a configuration with the profiles of their devices, and the devices that are left out with the reason. */
export function resolveGatewayConfig({ lines, profiles }: GatewayConfig): {
  readonly lines: readonly ResolvedLine[]
  readonly faults: readonly ConfigFault[]
} {
  const byId = new Map([...shippedProfiles, ...profiles].map((profile) => [profile.id, profile]))
  const faults: ConfigFault[] = []
  const resolved = lines.map((line, lineAt): ResolvedLine => {
    const devices: ResolvedDevice[] = []
    const places = new Set<string>()
    for (const [deviceAt, device] of line.devices.entries()) {
      const profileData = byId.get(device.profile)
      const place = toPlace(device)
      const reason =
        findFault(device, profileData, line.driver) ?? (places.has(place) ? 'same-address' : undefined)
      places.add(place)
      if (reason !== undefined || profileData === undefined)
        faults.push({
          line: line.id,
          serial: device.serial,
          at: [lineAt, deviceAt],
          reason: reason ?? 'unknown-profile',
        })
      else devices.push({ ...device, profileData })
    }
    return { line, devices }
  })
  return { lines: resolved, faults }
}
