import type { DeviceKind } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import type { StateLookup } from './states-by-id.ts'
import { useLiveStates } from './use-live.ts'

/** A device of a list and its node. */
export interface ShownDevice {
  readonly id: number
  readonly node: NodeKey
}

/** Newest states of the devices of one kind that a list shows, live; at most MAX_LIVE_NODES devices. */
export function useShownStates(kind: DeviceKind, devices: readonly ShownDevice[]): StateLookup {
  const query = {
    nodes: [...new Set(devices.map(({ node }) => node))],
    kinds: [kind],
    deviceIds: devices.map(({ id }) => id),
  }
  return useLiveStates(devices.length === 0 ? undefined : query).states
}
