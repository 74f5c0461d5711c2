import type { commandBatchesEndpoints } from '@isotherm/contract/endpoints/control/command-batches'
import type { commandsEndpoints } from '@isotherm/contract/endpoints/control/commands'
import type { pumpsEndpoints } from '@isotherm/contract/endpoints/control/pumps'
import type { suppliesEndpoints } from '@isotherm/contract/endpoints/control/supplies'
import type { valveHoldsEndpoints } from '@isotherm/contract/endpoints/control/valve-holds'
import type { lineScansEndpoints } from '@isotherm/contract/endpoints/devices/line-scans'
import type { readRequestsEndpoints } from '@isotherm/contract/endpoints/devices/read-requests'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { HoldService } from './holds/hold-service.ts'
import type { BatchService } from './orders/batch-service.ts'
import type { CommandsService } from './orders/commands-service.ts'
import type { PumpService } from './orders/pump-service.ts'
import type { SupplyService } from './orders/supply-service.ts'
import type { ReadRequests } from './reads/read-requests.ts'
import type { LineScans } from './scans/line-scans.ts'

export const createCommandsHandlers = (
  commands: CommandsService,
): HandlersOf<keyof typeof commandsEndpoints> => ({
  publishMqCtlCmd: (input, call) => commands.send(call, input),
  previewMqCtlCmd: (input, { caller }) => commands.preview(caller, input),
  getCtlLog: (input, { caller }) => commands.list(caller, input),
  getCtlLogCmdLast: async (input, { caller }) => ({
    datalist: await commands.listLast(caller, input.deviceIds),
  }),
  deleteCtlCmd: async (input, call) => ({ commands: await commands.cancel(call, input.ids) }),
  updateDevLastOpenset: async ({ items }, call) => ({ datalist: await commands.recordOpenings(call, items) }),
})

export const createBatchHandlers = (
  batches: BatchService,
): HandlersOf<keyof typeof commandBatchesEndpoints> => ({
  getCtlBatches: (input, { caller }) => batches.list(caller, input),
  pauseCtlBatch: ({ batchId }, call) => batches.pause(call, batchId),
  resumeCtlBatch: ({ batchId }, call) => batches.resume(call, batchId),
  cancelCtlBatch: ({ batchId }, call) => batches.cancel(call, batchId),
  retryCtlBatch: ({ batchId }, call) => batches.retry(call, batchId),
})

export const createPumpHandlers = (pumps: PumpService): HandlersOf<keyof typeof pumpsEndpoints> => ({
  getPumps: async ({ deviceIds }, { caller }) => ({ datalist: await pumps.list(caller, deviceIds) }),
  setPumpHead: (input, call) => pumps.setHead(call, input),
  setPumpLimits: (input, call) => pumps.setLimits(call, input),
})

export const createSupplyHandlers = (
  supplies: SupplyService,
): HandlersOf<keyof typeof suppliesEndpoints> => ({
  getSupplies: async ({ deviceIds }, { caller }) => ({ datalist: await supplies.list(caller, deviceIds) }),
  setSupplyOffset: (input, call) => supplies.setOffset(call, input),
  setSupplyLimits: (input, call) => supplies.setLimits(call, input),
})

export const createHoldHandlers = (holds: HoldService): HandlersOf<keyof typeof valveHoldsEndpoints> => ({
  getHolds: (input, { caller }) => holds.list(caller, input),
  releaseHolds: async ({ ids }, call) => ({ ids: await holds.release(call, ids) }),
  getControlLimits: async ({ nodes }, { caller }) => ({ datalist: await holds.listLimits(caller, nodes) }),
  setControlLimits: (input, call) => holds.setLimits(call, input),
})

export const createReadHandlers = (reads: ReadRequests): HandlersOf<keyof typeof readRequestsEndpoints> => ({
  requestRead: ({ deviceId }, call) => reads.request(call, deviceId),
  getReadRequest: async ({ deviceId }, { caller }) => ({ request: await reads.find(caller, deviceId) }),
})

export const createScanHandlers = (scans: LineScans): HandlersOf<keyof typeof lineScansEndpoints> => ({
  startLineScan: (input, call) => scans.start(call, input),
  stopLineScan: async (input, call) => ({ scan: await scans.stop(call, input) }),
  getLineScans: async ({ deviceId }, { caller }) => ({ datalist: await scans.list(caller, deviceId) }),
})
