import type { irrigationEndpoints } from '@isotherm/contract/endpoints/control/irrigation'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { IrrigationService } from './service.ts'
import type { SettingsService } from './settings/settings-service.ts'

export const createIrrigationHandlers = (
  irrigation: IrrigationService,
  settings: SettingsService,
): HandlersOf<keyof typeof irrigationEndpoints> => ({
  getIrrigation: async (input, { caller }) => ({ datalist: await irrigation.list(caller, input) }),
  getIrrigationUses: async (input, { caller }) => ({ datalist: await irrigation.listUses(caller, input) }),
  getIrrigationRuns: (input, { caller }) => irrigation.listRuns(caller, input),
  getIrrigationWater: async (input, { caller }) => ({ datalist: await irrigation.listWater(caller, input) }),
  previewIrrigation: (input, { caller }) => irrigation.preview(caller, input),
  setIrrigationSource: (input, call) => settings.setSource(call, input),
  setIrrigationGroup: (input, call) => settings.setGroup(call, input),
  setIrrigationProgram: (input, call) => settings.setProgram(call, input),
  deleteIrrigationSource: (input, call) => settings.remove(call, 'irrigation_source', input),
  deleteIrrigationGroup: (input, call) => settings.remove(call, 'irrigation_group', input),
  deleteIrrigationProgram: (input, call) => settings.remove(call, 'irrigation_program', input),
  releaseIrrigation: (input, call) => irrigation.release(call, input),
  startIrrigationRun: (input, call) => irrigation.start(call, input),
  runIrrigationProgram: (input, call) => irrigation.startProgram(call, input),
  changeIrrigationRun: (input, call) => irrigation.change(call, input),
  stopIrrigation: ({ sourceId }, call) => irrigation.stop(call, sourceId),
  pauseIrrigation: (input, call) => irrigation.pause(call, input),
})
