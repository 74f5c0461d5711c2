import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { createNodeHealth } from './node-health.ts'
import type { TelemetryService } from './service.ts'

export type TelemetryHandlers = HandlersOf<'getDataLastFromNodeList' | 'getDataHisFromDevs' | 'getNodeHealth'>

export const createTelemetryHandlers = (
  service: TelemetryService,
  listHealth: ReturnType<typeof createNodeHealth>,
): TelemetryHandlers => ({
  getDataLastFromNodeList: (input, { caller }) => service.listLatest(caller.scope, input),
  getDataHisFromDevs: (input, { caller }) => service.getHistory(caller.scope, input),
  getNodeHealth: async ({ nodes }, { caller }) => ({ datalist: await listHealth(caller, nodes) }),
})
