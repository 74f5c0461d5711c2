import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filter, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { controlAbility } from './control-devices.ts'

/** Maximum number of devices in a group, and of commands in a batch to a group. */
export const MAX_GROUP_DEVICES = 1_000

const description = z.string().max(200)

/** A set of devices of one company, anywhere in its tree. */
export const deviceGroup = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  description: z.string(),
  /** Its devices that are granted to the caller, ascending. */
  deviceIds: z.array(z.number().int()),
  /** Number of valves in use among them. */
  valveCount: z.number().int().nonnegative(),
  version,
  /** Empty unless every device of the group is granted to the caller. */
  abilities: z.array(controlAbility),
})
export type DeviceGroup = z.infer<typeof deviceGroup>

const managing = requiresPermission('pg-groupmanage')

const deviceIds = z.array(refersTo('device', z.number().int().positive())).min(1).max(MAX_GROUP_DEVICES)

export const insertCtlGroup = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/InsertCtlGroup',
  summary: 'Adds a group of devices of one company, anywhere in its tree.',
  access: managing,
  effect: 'changes',
  input: z.object({ name: givenName, description: description.default(''), deviceIds }),
  output: deviceGroup,
  errors: ['device.not-found', 'device.retired', 'device-group.several-companies', 'entity.taken'],
})

export const getCtlGroup = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetCtlGroup',
  summary: 'Groups that match a filter and contain a device granted to the caller, by name.',
  access: requiresPermission('pg-groupmanage', 'pg-groupctl'),
  effect: 'reads',
  input: z.object({
    filter: filter.default([]),
    limiter: limiter.extend({ size: z.number().int().min(1).max(100) }).default({ page: 1, size: 100 }),
  }),
  output: pageOf(deviceGroup),
  errors: ['filter.unknown-field', 'filter.bad-pattern'],
})

export const updateCtlGroup = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdateCtlGroup',
  summary: 'Renames or describes a group, or replaces its devices.',
  access: managing,
  effect: 'changes',
  input: z.object({
    id: refersTo('device-group', z.number().int().positive()),
    version,
    name: givenName.optional(),
    description: description.optional(),
    /** The whole set; absent: no change. */
    deviceIds: deviceIds.optional(),
  }),
  output: deviceGroup,
  errors: [
    'device-group.not-found',
    'device-group.several-companies',
    'device-group.scheduled',
    'device.not-found',
    'device.retired',
    'entity.taken',
    'entity.stale',
  ],
})

export const deleteCtlGroup = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/DeleteCtlGroup',
  summary: 'Removes groups, all or none. Their devices stay.',
  access: managing,
  effect: 'changes',
  input: z.object({
    items: z
      .array(z.object({ id: refersTo('device-group', z.number().int().positive()), version }))
      .min(1)
      .max(100),
  }),
  output: z.object({ ids: z.array(z.number().int()) }),
  errors: ['device-group.not-found', 'entity.stale'],
})

export const deviceGroupsEndpoints = {
  insertCtlGroup,
  getCtlGroup,
  updateCtlGroup,
  deleteCtlGroup,
} as const
