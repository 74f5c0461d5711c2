import { z } from 'zod'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Purpose of a control device: a valve in the supply, the return or a bypass, a pump, irrigation. */
export const controlPurpose = z.enum(['supply', 'return', 'bypass', 'pump', 'irrigation'])
export type ControlPurpose = z.infer<typeof controlPurpose>

/** What the caller can do with a control device, decided on the server. */
export const controlAbility = z.enum(['edit', 'remove', 'control'])
export type ControlAbility = z.infer<typeof controlAbility>

const id = z.number().int().positive()

/** A device that controls a node: the valve of a building, the controller or a pump of a station. */
export const controlDevice = z.object({
  id,
  deviceId: z.number().int().positive(),
  /** Serial of the device. */
  imei: z.string(),
  deviceName: z.string(),
  kind: deviceKind,
  /** The node it controls; the device can be on another node. */
  node: nodeKey,
  /** Names from the project down to that node, joined by commas. */
  nestaddr: z.string(),
  purpose: controlPurpose,
  name: z.string(),
  /** A device accepts no commands if all its control devices are disabled. */
  enabled: z.boolean(),
  version,
  abilities: z.array(controlAbility),
})
export type ControlDevice = z.infer<typeof controlDevice>

const managing = requiresPermission('pd-fmdevmanager', 'pd-datadevmanager', 'pd-devdebug')
const viewing = requiresPermission(
  ...managing.anyOf,
  'pe-fmcontrol',
  'pe-fmreal',
  'pg-groupmanage',
  'pg-groupctl',
)

const device = refersTo('device', z.number().int().positive())
const items = z
  .array(z.object({ id: refersTo('control-device', z.number().int().positive()), version }))
  .min(1)
  .max(1_000)
const removed = z.object({ ids: z.array(z.number().int()) })

export const insertCtlDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/InsertCtlDev',
  summary: 'Makes a valve or a station controller the control device of a node of the same company.',
  access: managing,
  effect: 'changes',
  input: z.object({
    deviceId: device,
    node: refersTo('node', nodeKey),
    purpose: controlPurpose,
    name: givenName,
    enabled: z.boolean().default(true),
  }),
  output: controlDevice,
  errors: ['device.not-found', 'node.not-found', 'node.bad-place', 'device.not-controllable', 'entity.taken'],
})

export const getCtlDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetCtlDev',
  summary: 'Control devices that match a filter, in the order of the nodes they control.',
  access: viewing,
  effect: 'reads',
  input: filteredPage,
  output: pageOf(controlDevice),
  errors: ['filter.unknown-field', 'filter.bad-pattern'],
})

export const updateCtlDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdateCtlDev',
  summary: 'Renames, enables or disables a control device, or changes its purpose or node.',
  access: managing,
  effect: 'changes',
  input: z.object({
    id: refersTo('control-device', z.number().int().positive()),
    version,
    node: refersTo('node', nodeKey).optional(),
    purpose: controlPurpose.optional(),
    name: givenName.optional(),
    enabled: z.boolean().optional(),
  }),
  output: controlDevice,
  errors: [
    'control-device.not-found',
    'node.not-found',
    'node.bad-place',
    'device.not-controllable',
    'entity.taken',
    'entity.stale',
  ],
})

export const deleteCtlDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/DeleteCtlDev',
  summary: 'Removes control devices, all or none. The devices themselves stay.',
  access: managing,
  effect: 'changes',
  input: z.object({ items }),
  output: removed,
  errors: ['control-device.not-found', 'entity.stale'],
})

export const rbacInsertCtlDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertCtlDev',
  summary:
    "Makes some of the caller's granted devices the control devices of the nodes they are placed on, all or none.",
  access: managing,
  effect: 'changes',
  input: z.object({
    items: z
      .array(z.object({ deviceId: device, purpose: controlPurpose, name: givenName.optional() }))
      .min(1)
      .max(1_000),
  }),
  output: z.object({ datalist: z.array(controlDevice) }),
  errors: ['device.not-found', 'device.not-controllable', 'entity.taken'],
})

export const rbacDeleteCtlDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/DeleteCtlDev',
  summary: "Removes control devices of the caller's granted devices, all or none.",
  access: managing,
  effect: 'changes',
  input: z.object({ items }),
  output: removed,
  errors: ['control-device.not-found', 'entity.stale'],
})

export const controlDevicesEndpoints = {
  insertCtlDev,
  getCtlDev,
  updateCtlDev,
  deleteCtlDev,
  rbacInsertCtlDev,
  rbacDeleteCtlDev,
} as const
