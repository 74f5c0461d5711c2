import { z } from 'zod'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { managingDevices, watchingDevices } from './device-access.ts'

/** What the caller may do with a device model: all companies share them, so that only staff of the provider change them. */
const modelAbility = z.enum(['edit', 'remove'])

/** A make of a kind of device. All companies share them. */
export const deviceModel = z.object({
  id: z.number().int().positive(),
  kind: deviceKind,
  name: z.string(),
  maker: z.string(),
  description: z.string(),
  version,
  abilities: z.array(modelAbility),
})
export type DeviceModel = z.infer<typeof deviceModel>

const name = z.string().min(1).max(60)
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
    name,
    maker: maker.default(''),
    description: description.default(''),
  }),
  output: deviceModel,
  errors: ['entity.taken'],
})

export const editDevModel = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/EditDevModel',
  summary:
    'Changes a model, and with its name what its devices are said to be of; for staff of the provider, since all companies share it.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({
    ...named,
    name: name.optional(),
    maker: maker.optional(),
    description: description.optional(),
  }),
  output: deviceModel,
  errors: ['device-model.not-found', 'entity.stale', 'entity.taken', 'entity.in-use', 'access.denied'],
})

export const deleteDevModel = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Model/DeleteDevModel',
  summary: 'Removes a model that no device is of; for staff of the provider.',
  access: managingDevices,
  effect: 'changes',
  input: z.object(named),
  output: z.object({ id: z.number().int() }),
  errors: ['device-model.not-found', 'entity.stale', 'entity.in-use', 'access.denied'],
})

export const deviceModelsEndpoints = { getAllDevModels, addDevModel, editDevModel, deleteDevModel } as const
