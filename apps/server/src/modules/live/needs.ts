import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { SessionService } from '../session/index.ts'
import type { LiveStates } from '../telemetry/index.ts'

/** What the live push is made of. */
export interface LiveNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly mode: Config['mode']
  /** Names this life of the server in cursors. */
  readonly epoch: string
  readonly session: Pick<SessionService, 'authenticate' | 'findAccess'>
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findKeys' | 'showsCompany'>
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById'>
  readonly states: LiveStates
  readonly timeFactor: () => number | undefined
}
