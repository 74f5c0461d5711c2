import type { FrameProtocol, FrameReport } from '@isotherm/codecs/describe/frame-report'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { DeviceKind } from '@isotherm/contract/devices'
import { decodeByProfile } from '@isotherm/profiles/decode-by-profile'

/**
 * The protocol of a profile's frames. `lorawan`: the payload has the format of its maker, so no protocol can be recognised.
 * `properties`: values by name instead of bytes.
 */
const toProtocol = ({ bus }: DeviceProfile): FrameProtocol | 'lorawan' | 'properties' =>
  bus.driver === 'modbus' ? `modbus-${bus.transport}` : bus.driver

const countReadings = (profile: DeviceProfile, bytes: Uint8Array): number => {
  const outcome = decodeByProfile(profile, bytes)
  return outcome.kind === 'readings' ? outcome.readings.length : 0
}

/** The profile to start with: one for the protocol of the frame, if possible for the kind of the device, and of these the one that gives the most readings. */
export function guessProfile(
  profiles: readonly DeviceProfile[],
  report: FrameReport | undefined,
  bytes: Uint8Array,
  kind: DeviceKind | undefined,
): DeviceProfile | undefined {
  const protocol = report === undefined ? 'lorawan' : (report.inner ?? report).protocol
  const fitting = profiles.filter(
    (profile) =>
      toProtocol(profile) === protocol && (report !== undefined || countReadings(profile, bytes) > 0),
  )
  const own = fitting.filter((profile) => profile.kind === kind)
  const [first, ...others] = own.length > 0 ? own : fitting
  return others.reduce(
    (best, profile) => (best && countReadings(profile, bytes) > countReadings(best, bytes) ? profile : best),
    first,
  )
}
