import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { NetworkService } from '../network/index.ts'
import type { DevicesService } from './lists/service.ts'
import { toAbilities } from './policy.ts'

export const createDevicesHandlers = (
  devices: DevicesService,
  network: NetworkService,
): HandlersOf<'getDevsFromPrjTree'> => ({
  async getDevsFromPrjTree({ nodes, kinds, limiter }, { caller }) {
    const paths = await network.resolveNodes(caller.scope, nodes)
    const { datalist, total } = await devices.listDevices(caller.scope, paths, kinds, limiter)
    const seen = datalist.map((device) => ({ ...device, abilities: toAbilities(caller, device.kind) }))
    return { datalist: seen, total }
  },
})
