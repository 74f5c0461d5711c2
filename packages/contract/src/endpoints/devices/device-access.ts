import type { PagePermission } from '../../access/routes.ts'
import type { DeviceKind } from '../../devices.ts'
import { requiresPermission } from '../../endpoint.ts'

/** Page for managing devices of a kind. Changing them requires its permission. */
export const managingPages = {
  valve: 'pd-fmdevmanager',
  'heat-meter': 'pd-caldevmanager',
  'room-sensor': 'pd-rtcaldevmanager',
  station: 'pd-datadevmanager',
  concentrator: 'pd-datadevmanager',
  sensor: 'pd-datadevmanager',
} as const satisfies Readonly<Record<DeviceKind, PagePermission>>

/** Pages for managing devices. */
export const managingDevices = requiresPermission(
  'pd-caldevmanager',
  'pd-rtcaldevmanager',
  'pd-datadevmanager',
  'pd-fmdevmanager',
)

/** Pages that show devices. */
export const watchingDevices = requiresPermission(
  ...managingDevices.anyOf,
  'pd-devdebug',
  'pe-fmreal',
  'pe-fmhistory',
  'pe-fmcontrol',
  'pr-rtreal',
  'pr-rthistory',
  'pc-caldata',
  'pg-groupmanage',
  'pg-groupctl',
  'pg-gisshow',
)
