import type { findingsEndpoints } from '@isotherm/contract/endpoints/findings'
import type { networkFiguresEndpoints } from '@isotherm/contract/endpoints/network-figures'
import type { quarantineEndpoints } from '@isotherm/contract/endpoints/quarantine'
import type { rawFramesEndpoints } from '@isotherm/contract/endpoints/raw-frames'
import type { realValuesEndpoints } from '@isotherm/contract/endpoints/real-values'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { createNodeHealth } from './counts/node-health.ts'
import type { createListFindings } from './quality/list-findings.ts'
import type { createListQuarantine } from './quarantine/quarantine-list.ch.ts'
import type { TelemetryService } from './queries/latest-states.ts'
import type { createNetworkFigures } from './queries/network-figures.ts'
import type { RealDevicesService } from './queries/real-devices.ts'
import type { createListRawFrames } from './raw/raw-list.ch.ts'

export type TelemetryHandlers = HandlersOf<
  | 'getDataLastFromNodeList'
  | 'getNodeHealth'
  | keyof typeof realValuesEndpoints
  | keyof typeof networkFiguresEndpoints
  | keyof typeof findingsEndpoints
  | keyof typeof quarantineEndpoints
  | keyof typeof rawFramesEndpoints
>

export const createTelemetryHandlers = (
  service: TelemetryService,
  real: RealDevicesService,
  listHealth: ReturnType<typeof createNodeHealth>,
  readFigures: ReturnType<typeof createNetworkFigures>,
  listFindings: ReturnType<typeof createListFindings>,
  listQuarantine: ReturnType<typeof createListQuarantine>,
  listRawFrames: ReturnType<typeof createListRawFrames>,
): TelemetryHandlers => ({
  getDataLastFromNodeList: (input, { caller }) => service.listLatest(caller.scope, input),
  getThreeSelectNewRealDev: (input, { caller }) => real.listSelected(caller, input),
  getThreeSelectNewRealDevOrderBy: (input, { caller }) => real.listSelected(caller, input),
  getDataLastFromPrjTree: (input, { caller }) => real.listByNode(caller, input),
  rbacGetDataLastFromLeafs: (input, { caller }) => real.listOfLeafs(caller, input),
  getNetworkFigures: ({ nodes }, { caller }) => readFigures(caller.scope, nodes),
  getFindings: (input, { caller }) => listFindings(caller.scope, input),
  getQuarantine: (input, { caller }) => listQuarantine(caller.scope, input),
  getRawFrames: (input, { caller }) => listRawFrames(caller.scope, input),
  getNodeHealth: async ({ nodes }, { caller }) => ({ datalist: await listHealth(caller, nodes) }),
})
