import type { Clock } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { SessionService } from '../../session/index.ts'
import type { LiveStates } from '../../telemetry/index.ts'
import type { WaitForPace } from './account-pace.ts'
import type { Lookups } from './shared-lookups.ts'
import type { WaitForSlice } from './time-slices.ts'

/** Dependencies of the live push. */
export interface LiveNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly mode: Config['mode']
  /** Id of this run of the server, part of cursors. */
  readonly epoch: string
  readonly session: Pick<SessionService, 'authenticate'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  /** Lookups that all connections share. */
  readonly lookups: Lookups
  readonly waitForSlice: WaitForSlice
  readonly waitForPace: WaitForPace
  readonly directory: Pick<DeviceDirectory, 'below' | 'findById'>
  readonly states: LiveStates
  /**
   * State version at the last move or removal of a device. A client with this cursor or an older one may still show
   * such a device.
   */
  readonly leftVersion: () => number
  readonly timeFactor: () => number | undefined
}
