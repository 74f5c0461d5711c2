import type { deviceProfilesEndpoints } from '@isotherm/contract/endpoints/devices/device-profiles'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import type { DeviceProfilesService } from './profile-service.ts'

export const createProfileHandlers = (
  profiles: DeviceProfilesService,
): HandlersOf<keyof typeof deviceProfilesEndpoints> => ({
  async getAllDevProfiles(_input, { caller }) {
    const datalist = await profiles.list(caller)
    return { datalist, total: datalist.length }
  },
  addDevProfile: ({ profile }, call) => profiles.add(call, profile),
  editDevProfile: ({ profile, ...item }, call) => profiles.change(call, item, profile),
  async deleteDevProfile(item, call) {
    await profiles.remove(call, item)
    return { id: item.id }
  },
})
