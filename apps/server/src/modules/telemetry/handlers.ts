import type { realValuesEndpoints } from '@isotherm/contract/endpoints/real-values'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { createNodeHealth } from './node-health.ts'
import type { RealDevicesService } from './real-devices.ts'
import type { TelemetryService } from './service.ts'

export type TelemetryHandlers = HandlersOf<
  'getDataLastFromNodeList' | 'getNodeHealth' | keyof typeof realValuesEndpoints
>

export const createTelemetryHandlers = (
  service: TelemetryService,
  real: RealDevicesService,
  listHealth: ReturnType<typeof createNodeHealth>,
): TelemetryHandlers => ({
  getDataLastFromNodeList: (input, { caller }) => service.listLatest(caller.scope, input),
  getThreeSelectNewRealDev: (input, { caller }) => real.listSelected(caller, input),
  getThreeSelectNewRealDevOrderBy: (input, { caller }) => real.listSelected(caller, input),
  getDataLastFromPrjTree: (input, { caller }) => real.listByNode(caller, input),
  rbacGetDataLastFromLeafs: (input, { caller }) => real.listOfLeafs(caller, input),
  getNodeHealth: async ({ nodes }, { caller }) => ({ datalist: await listHealth(caller, nodes) }),
})
