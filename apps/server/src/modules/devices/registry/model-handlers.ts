import type { deviceModelsEndpoints } from '@isotherm/contract/endpoints/devices/device-models'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import type { DeviceModelsService } from './model-service.ts'

export const createModelHandlers = (
  models: DeviceModelsService,
): HandlersOf<keyof typeof deviceModelsEndpoints> => ({
  async getAllDevModels({ kind }, { caller }) {
    const datalist = await models.list(caller, kind)
    return { datalist, total: datalist.length }
  },
  addDevModel: (added, call) => models.add(call, added),
  editDevModel: (changed, call) => models.change(call, changed),
  async deleteDevModel(item, call) {
    await models.remove(call, item)
    return { id: item.id }
  },
})
