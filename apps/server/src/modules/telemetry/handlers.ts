import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { TelemetryService } from './service.ts'

export const createTelemetryHandlers = (
  service: TelemetryService,
): HandlersOf<'getDataLastFromNodeList' | 'getDataHisFromDevs'> => ({
  getDataLastFromNodeList: (input, { caller }) => service.listLatest(caller.scope, input),
  getDataHisFromDevs: (input, { caller }) => service.getHistory(caller.scope, input),
})
