import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { getAllDevProfiles, type StoredProfile } from '@isotherm/contract/endpoints/devices/device-profiles'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** A profile that can be chosen. `stored` is absent for one that comes with the product. */
export interface KnownProfile {
  readonly profile: DeviceProfile
  readonly stored?: StoredProfile
}

/** All profiles: those of the product and those that people added. */
export const profilesQuery = queryOptions({
  queryKey: ['devices', 'profiles'],
  queryFn: async ({ signal }): Promise<readonly KnownProfile[]> => {
    const { datalist } = await call(getAllDevProfiles, {}, { signal })
    const added = datalist.map((stored) => ({ profile: stored.profile, stored }))
    return [...shippedProfiles.map((profile) => ({ profile })), ...added]
  },
})
