import type { DeviceKind } from '@isotherm/contract/devices'

/** How often each kind reports, in real seconds: the twin's clock runs fast, its telegrams do not. */
export const reportPeriodS: Readonly<Record<DeviceKind, number>> = {
  valve: 5,
  'heat-meter': 10,
  'room-sensor': 20,
  station: 5,
  concentrator: 30,
}
