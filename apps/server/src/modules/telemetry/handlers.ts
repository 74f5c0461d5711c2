import type { findingsEndpoints } from '@isotherm/contract/endpoints/monitoring/findings'
import type { quarantineEndpoints } from '@isotherm/contract/endpoints/monitoring/quarantine'
import type { rawFramesEndpoints } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import type { realValuesEndpoints } from '@isotherm/contract/endpoints/monitoring/real-values'
import type { networkFiguresEndpoints } from '@isotherm/contract/endpoints/network/network-figures'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import { createCallerGate } from '../../platform/tasks/turns/caller-gate.ts'
import type { OrderedDevices } from '../devices/index.ts'
import type { Countings } from './counts/countings.ts'
import { createNodeHealth } from './counts/node-health.ts'
import type { LatestValues } from './latest/latest-values.ts'
import type { PresenceWatch } from './presence/presence-watch.ts'
import { createListFindings } from './quality/list-findings.ts'
import { createListQuarantine } from './quarantine/quarantine-list.ch.ts'
import { createListLatest } from './queries/latest-states.ts'
import { createNetworkFigures } from './queries/network-figures.ts'
import { createRealDevicesService } from './queries/real-devices.ts'
import { createListRawFrames } from './raw/raw-list.ch.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

export type TelemetryHandlers = HandlersOf<
  | 'getDataLastFromNodeList'
  | 'getNodeHealth'
  | keyof typeof realValuesEndpoints
  | keyof typeof networkFiguresEndpoints
  | keyof typeof findingsEndpoints
  | keyof typeof quarantineEndpoints
  | keyof typeof rawFramesEndpoints
>

export interface TelemetryHandlersNeeds
  extends Pick<
      TelemetryOptions,
      | 'network'
      | 'devices'
      | 'selector'
      | 'listFindings'
      | 'listWatering'
      | 'reading'
      | 'directory'
      | 'clock'
      | 'cell'
    >,
    Pick<Countings, 'openCounts' | 'countFigures'> {
  readonly latest: LatestValues
  readonly presence: Pick<PresenceWatch, 'find' | 'findSeen' | 'findFirmware'>
  readonly ordered: OrderedDevices
}

/** Lists of messages search the store without rollups; the engine also has to take in readings. */
const MESSAGE_LISTS = { running: 2, waiting: 20 } as const

export function createTelemetryHandlers(needs: TelemetryHandlersNeeds): TelemetryHandlers {
  const { network, reading, directory } = needs
  const listLatest = createListLatest(needs)
  const real = createRealDevicesService(needs)
  const listHealth = createNodeHealth(network, needs.openCounts)
  const readFigures = createNetworkFigures(needs)
  const listFindings = createListFindings(network, needs.listFindings)
  const listQuarantine = createListQuarantine(reading, directory, needs.cell)
  const gate = createCallerGate(MESSAGE_LISTS)
  const listRawFrames = createListRawFrames(reading, directory, needs.clock)
  return {
    getDataLastFromNodeList: (input, { caller }) => listLatest(caller.scope, input),
    getThreeSelectNewRealDev: (input, { caller }) => real.listSelected(caller, input),
    getThreeSelectNewRealDevOrderBy: (input, { caller }) => real.listSelected(caller, input),
    getDataLastFromPrjTree: (input, { caller }) => real.listByNode(caller, input),
    rbacGetDataLastFromLeafs: (input, { caller }) => real.listOfLeafs(caller, input),
    getNetworkFigures: ({ nodes }, { caller }) => readFigures(caller.scope, nodes),
    getFindings: (input, { caller }) => listFindings(caller.scope, input),
    getQuarantine: (input, { caller }) => gate(() => listQuarantine(caller.scope, input)),
    getRawFrames: (input, { caller }) => gate(() => listRawFrames(caller.scope, input)),
    getNodeHealth: async ({ nodes }, { caller }) => ({ datalist: await listHealth(caller, nodes) }),
  }
}
