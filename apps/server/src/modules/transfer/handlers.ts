import type { readingFilesEndpoints } from '@isotherm/contract/endpoints/devices/reading-files'
import type { transferEndpoints } from '@isotherm/contract/endpoints/devices/transfer'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { ReadingsService } from './readings/readings-service.ts'
import type { TransferService } from './service.ts'

export const createTransferHandlers = (
  transfers: TransferService,
  readings: ReadingsService,
): HandlersOf<keyof typeof transferEndpoints | keyof typeof readingFilesEndpoints> => ({
  uploadTransfer: ({ fileName }, { upload, ...call }) => transfers.upload(call, fileName, upload),
  excelAdd: (input, call) => transfers.start(call, input),
  getTransfers: (input, call) => transfers.list(call, input),
  getTransferRows: (input, call) => transfers.listRows(call, input),
  getTransferCauses: async ({ transferId }, call) => ({
    datalist: await transfers.listCauses(call, transferId),
  }),
  downloadFailed: ({ transferId }, call) => transfers.downloadFailed(call, transferId),
  getTemplate: async (_input, { language }) => transfers.getTemplate(language),
  exportCompany: (input, call) => transfers.exportCompany(call, input),
  uploadReadings: (input, { upload, ...call }) => readings.upload(call, input, upload),
  previewReadings: (input, call) => readings.preview(call, input),
  importReadings: (input, call) => readings.start(call, input),
  cancelTransfer: (input, call) => transfers.cancel(call, input),
})
