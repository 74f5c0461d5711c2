import { z } from 'zod'
import { deviceProfile, deviceProfileInput } from '../../device-profile.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { managingDevices, watchingDevices } from './device-access.ts'

/** A profile that people added, shared by all companies. Those that come with the product are in packages/profiles. */
export const storedProfile = z.object({
  id: z.number().int().positive(),
  profile: deviceProfile,
  version,
  /** Only staff of the provider change profiles, because all companies share them. */
  abilities: z.array(z.enum(['edit', 'remove'])),
})
export type StoredProfile = z.infer<typeof storedProfile>

const named = { id: refersTo('device-profile', z.number().int().positive()), version }

export const getAllDevProfiles = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/Model/GetAllDevProfiles',
  summary: 'Every device profile that was added to those of the product, by its id.',
  access: watchingDevices,
  effect: 'reads',
  input: z.object({ token: z.string().max(200).optional() }),
  output: z.object({ datalist: z.array(storedProfile), total: z.number().int().nonnegative() }),
  errors: [],
})

export const addDevProfile = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/AddDevProfile',
  summary: 'Adds a device profile: how a kind of device is read and commanded on its field bus.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({ profile: deviceProfileInput }),
  output: storedProfile,
  errors: ['entity.taken', 'access.denied'],
})

export const editDevProfile = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/EditDevProfile',
  summary:
    'Replaces a device profile, for all models and gateways that name it; only for staff of the provider. Its id stays while a gateway names it.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({ ...named, profile: deviceProfileInput }),
  output: storedProfile,
  errors: [
    'device-profile.not-found',
    'device-profile.in-gateways',
    'entity.stale',
    'entity.taken',
    'entity.in-use',
    'access.denied',
  ],
})

export const deleteDevProfile = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/DeleteDevProfile',
  summary: 'Removes a device profile that no model and no gateway names; only for staff of the provider.',
  access: managingDevices,
  effect: 'changes',
  input: z.object(named),
  output: z.object({ id: z.number().int() }),
  errors: [
    'device-profile.not-found',
    'device-profile.in-gateways',
    'entity.stale',
    'entity.in-use',
    'access.denied',
  ],
})

export const deviceProfilesEndpoints = {
  getAllDevProfiles,
  addDevProfile,
  editDevProfile,
  deleteDevProfile,
} as const
