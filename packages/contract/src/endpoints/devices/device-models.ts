import { z } from 'zod'
import { profileId } from '../../device-profile.ts'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { managingDevices, watchingDevices } from './device-access.ts'

/** What the caller can do with a device model. All companies share models, so only staff of the provider change them. */
const modelAbility = z.enum(['edit', 'remove'])

/** A device model, shared by all companies. */
export const deviceModel = z.object({
  id: z.number().int().positive(),
  kind: deviceKind,
  name: z.string(),
  maker: z.string(),
  description: z.string(),
  /** Id of the profile by which its devices are read on their bus. */
  profile: profileId.optional(),
  version,
  abilities: z.array(modelAbility),
})
export type DeviceModel = z.infer<typeof deviceModel>

const maker = z.string().max(60)
const description = z.string().max(200)
const named = { id: refersTo('device-model', z.number().int().positive()), version }

export const getAllDevModels = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/Model/GetAllDevModels',
  summary: 'Every device model, by kind and name.',
  access: watchingDevices,
  effect: 'reads',
  input: z.object({ token: z.string().max(200).optional(), kind: deviceKind.optional() }),
  output: z.object({ datalist: z.array(deviceModel), total: z.number().int().nonnegative() }),
  errors: [],
})

export const addDevModel = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/AddDevModel',
  summary: 'Adds a model of a kind of device.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({
    kind: deviceKind,
    name: givenName,
    maker: maker.default(''),
    description: description.default(''),
    profile: profileId.optional(),
  }),
  output: deviceModel,
  errors: ['entity.taken', 'device-profile.not-found', 'access.denied'],
})

export const editDevModel = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/EditDevModel',
  summary:
    'Changes a model, and its name for all its devices; only for staff of the provider, because all companies share it.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({
    ...named,
    name: givenName.optional(),
    maker: maker.optional(),
    description: description.optional(),
    /** null for none. */
    profile: profileId.nullable().optional(),
  }),
  output: deviceModel,
  errors: [
    'device-model.not-found',
    'device-profile.not-found',
    'entity.stale',
    'entity.taken',
    'entity.in-use',
    'access.denied',
  ],
})

export const deleteDevModel = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/DeleteDevModel',
  summary: 'Removes a model without devices; only for staff of the provider.',
  access: managingDevices,
  effect: 'changes',
  input: z.object(named),
  output: z.object({ id: z.number().int() }),
  errors: ['device-model.not-found', 'entity.stale', 'entity.in-use', 'access.denied'],
})

export const deviceModelsEndpoints = { getAllDevModels, addDevModel, editDevModel, deleteDevModel } as const
