import type { DeviceKind } from '@isotherm/contract/devices'
import { type ControlPurpose, getCtlDev } from '@isotherm/contract/endpoints/devices/control-devices'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Most control entries of a device that are shown. A device controls one node, rarely two. */
const SHOWN = 100

/** What a device controls, in the order of the tree. */
export const controlsQuery = (deviceId: number) =>
  queryOptions({
    queryKey: ['devices', 'controls', deviceId],
    queryFn: ({ signal }) => {
      const filter = [{ field: 'deviceId', cond: 'eq' as const, vstd: deviceId }]
      return call(getCtlDev, { filter, limiter: { page: 1, size: SHOWN } }, { signal })
    },
  })

/** The kinds of device that control something. */
export type ControllingKind = 'valve' | 'station'

export const isControlling = (kind: DeviceKind): kind is ControllingKind =>
  kind === 'valve' || kind === 'station'

/** The purposes that a device of a kind can serve. */
export const purposesOf: Readonly<Record<ControllingKind, readonly ControlPurpose[]>> = {
  valve: ['supply', 'return', 'bypass', 'irrigation'],
  station: ['supply', 'return', 'bypass', 'pump'],
}
