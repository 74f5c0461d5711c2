import type { FindingRule } from '@isotherm/contract/alarms/finding'
import type { DeviceKind } from '@isotherm/contract/devices'

/** What distinguishes the pages of device management. */
export interface DevicePageKind {
  /** Name of the page's texts, stored choices and exported file. */
  readonly name: 'valves' | 'meters' | 'rooms' | 'gateways'
  readonly kinds: readonly [DeviceKind, ...DeviceKind[]]
  /** Rules of which these devices can have findings. */
  readonly rules: readonly FindingRule[]
}

export const valvePage: DevicePageKind = {
  name: 'valves',
  kinds: ['valve'],
  rules: ['closed-valve', 'sensor', 'meter-clock'],
}

export const meterPage: DevicePageKind = {
  name: 'meters',
  kinds: ['heat-meter'],
  rules: [
    'swapped-sensors',
    'frozen',
    'reversed-flow',
    'no-heat',
    'scale',
    'power-balance',
    'energy-power',
    'register',
    'jump',
    'range',
    'sensor',
    'meter-clock',
    'hours',
  ],
}

export const roomPage: DevicePageKind = { name: 'rooms', kinds: ['room-sensor'], rules: ['sensor'] }

export const gatewayPage: DevicePageKind = {
  name: 'gateways',
  kinds: ['concentrator', 'station', 'sensor'],
  rules: ['node-clock', 'sensor', 'meter-clock'],
}
