import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { Caller } from '../../platform/http/call.ts'

/** What the caller may do with a device of a kind. */
export const toAbilities = (caller: Pick<Caller, 'permissions'>, kind: DeviceKind): Device['abilities'] =>
  kind === 'valve' && caller.permissions.has('pe-fmcontrol') ? ['control'] : []
