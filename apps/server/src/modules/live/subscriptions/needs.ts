import type { Clock } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { SessionService } from '../../session/index.ts'
import type { LiveStates } from '../../telemetry/index.ts'
import type { Lookups } from './shared-lookups.ts'
import type { TakeTurn } from './time-slices.ts'

/** What the live push is made of. */
export interface LiveNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly mode: Config['mode']
  /** Names this life of the server in cursors. */
  readonly epoch: string
  readonly session: Pick<SessionService, 'authenticate'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  /** For what all connections ask at the same time. */
  readonly lookups: Lookups
  readonly takeTurn: TakeTurn
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById'>
  readonly states: LiveStates
  /** Version of the states when a device was last moved or removed; a cursor up to it may stand for one too many. */
  readonly leftVersion: () => number
  readonly timeFactor: () => number | undefined
}
