import { isImei } from '@isotherm/kernel/imei'
import { z } from 'zod'
import { device, deviceKind, deviceKinds, deviceUse, openingLimits } from '../../devices.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { topicPart } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { valveCharacteristic } from '../../valve-characteristic.ts'
import { managingDevices, watchingDevices } from './device-access.ts'

/** Maximum number of devices of one call. */
const MAX_DEVICES_PER_CALL = 1_000

const id = refersTo('device', z.number().int().positive())
const group = refersTo('group', z.number().int().positive())
const node = refersTo('node', nodeKey)
const modelId = refersTo('device-model', z.number().int().positive())
const token = z.string().max(200).optional()
const description = z.string().max(200)
const periodS = z.number().min(1).max(86_400)
const radioImei = z.string().refine(isImei, 'an IMEI has 15 digits, the last one is a check digit')
const meterNo = z.string().regex(/^[0-9A-Za-z]{4,20}$/, 'a meter number has 4 to 20 letters and digits')
const limits = openingLimits.refine(({ minPct, maxPct }) => minPct <= maxPct, {
  error: 'minPct is above maxPct',
  path: ['minPct'],
})
const items = z.array(z.object({ id, version })).min(1).max(MAX_DEVICES_PER_CALL)

const isAnythingGiven = (changes: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(changes).some(([field, value]) => !['id', 'version'].includes(field) && value !== undefined)
const somethingGiven = { error: 'no value is given to change' }

export const getDevs = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/dev/getDevs',
  summary: 'Devices of a project or group, in tree order, by kind, use and a part of name or numbers.',
  access: watchingDevices,
  effect: 'reads',
  input: z.object({
    token,
    projectId: group.optional(),
    /** A group; `id` is a synonym. With several places only devices below all of them are listed. */
    groupId: group.optional(),
    id: group.optional(),
    kind: deviceKind.optional(),
    /** By default without retired devices. */
    use: deviceUse.optional(),
    /**
     * Part of the name, serial, IMEI or meter number. Among more than 100,000 devices only numbers are searched, by at least
     * their first three or last four characters; any other text is refused with filter.too-wide.
     */
    text: z.string().max(60).optional(),
    pageNo: z.number().int().min(1).max(1_000_000),
    pageSize: z.number().int().min(1).max(1_000),
  }),
  output: z.object({ list: z.array(device), total: z.number().int().nonnegative() }),
  errors: ['node.not-found', 'filter.too-wide'],
})

export const getDevice = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/dev/getDevice',
  summary: 'One device by its number, in use or retired.',
  access: watchingDevices,
  effect: 'reads',
  input: z.object({ token, id }),
  output: device,
  errors: ['device.not-found'],
})

export const getDeviceInfoByDeviceNos = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/dev/getDeviceInfoByDeviceNos',
  summary: 'Devices by serial or IMEI, in the given order.',
  access: watchingDevices,
  effect: 'reads',
  input: z.object({ token, deviceNos: z.array(refersTo('imei', topicPart)).min(1).max(200) }),
  output: z.object({ list: z.array(device) }),
  errors: ['device.not-found'],
})

export const getDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetDev',
  summary: 'Devices that match a filter, in tree order, including retired ones.',
  access: watchingDevices,
  effect: 'reads',
  input: filteredPage.extend({
    nodes: z.array(node).max(2_000).optional(),
    kinds: deviceKinds.min(1).optional(),
    /** By default all. */
    use: deviceUse.optional(),
    /** As in getDevs. */
    text: z.string().max(60).optional(),
  }),
  output: pageOf(device),
  errors: ['node.not-found', 'filter.unknown-field', 'filter.bad-pattern', 'filter.too-wide'],
})

export const insertDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/InsertDev',
  summary: 'Adds a device to a node.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({
    kind: deviceKind,
    /** Its serial or IMEI: its name in MQTT messages. */
    imei: topicPart,
    radioImei: radioImei.optional(),
    meterNo: meterNo.optional(),
    name: givenName,
    modelId,
    node,
    /** Its concentrator; absent for a device with its own link. */
    concentratorId: id.optional(),
    periodS,
    limits: limits.optional(),
    /** Stated characteristic of a valve. */
    characteristic: valveCharacteristic.optional(),
    description: description.default(''),
  }),
  output: device,
  errors: [
    'node.not-found',
    'device.not-found',
    'device-model.not-found',
    'entity.taken',
    'device.bad-concentrator',
    'device.bad-model',
    'device.wrong-kind',
    'device.bad-curve',
    'access.denied',
  ],
})

const changeErrors = [
  'device.not-found',
  'node.not-found',
  'device-model.not-found',
  'entity.stale',
  'entity.taken',
  'entity.in-use',
  'node.bad-place',
  'device.bad-concentrator',
  'device.bad-model',
  'device.wrong-kind',
  'device.bad-curve',
  'device.retired',
  'irrigation.sensor-attached',
  'irrigation.sensor-unsuited',
  'access.denied',
] as const

/** Changeable values of one device or of many; null removes a value. */
const commonChanges = {
  modelId: modelId.optional(),
  node: node.optional(),
  concentratorId: id.nullable().optional(),
  periodS: periodS.optional(),
  limits: limits.nullable().optional(),
  /** Stated characteristic of a valve; without one its curve is that of the name plate or the usual one. */
  characteristic: valveCharacteristic.nullable().optional(),
  description: description.optional(),
  /** Retires a device, or puts it back into use. A concentrator with devices behind it cannot be retired. */
  use: deviceUse.optional(),
}

export const updateDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdateDev',
  summary: 'Changes a device, including its node. Both nodes must be inside the grants of the caller.',
  access: managingDevices,
  effect: 'changes',
  input: z
    .object({
      id,
      version,
      name: givenName.optional(),
      radioImei: radioImei.nullable().optional(),
      meterNo: meterNo.nullable().optional(),
      ...commonChanges,
    })
    .refine(isAnythingGiven, somethingGiven),
  output: device,
  errors: changeErrors,
})

export const updateBatchDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/UpdateBatchDev',
  summary: 'Makes the same changes to many devices, all or none.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({
    items,
    changes: z.object(commonChanges).refine(isAnythingGiven, somethingGiven),
  }),
  output: z.object({ datalist: z.array(device) }),
  errors: changeErrors,
})

export const deleteDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/DeleteDev',
  summary:
    'Removes devices that were added by mistake. A device with commands, readings or devices behind it can only be retired.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({ items }),
  output: z.object({ ids: z.array(z.number().int()) }),
  errors: [
    'device.not-found',
    'entity.stale',
    'entity.in-use',
    'irrigation.sensor-attached',
    'access.denied',
  ],
})

export const replaceDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/ReplaceDev',
  summary:
    'Replaces a device: the new one takes over node, name, limits, grants, groups and the devices behind it; the old one is retired with its history. With the same model it also takes over a stated characteristic, unless that one was measured.',
  access: managingDevices,
  effect: 'changes',
  input: z.object({
    id,
    version,
    /** Serial or IMEI of the new one. */
    imei: topicPart,
    /** An IMEI or meter number of the old one can move with its radio or meter. */
    radioImei: radioImei.optional(),
    meterNo: meterNo.optional(),
    /** By default that of the old one. */
    modelId: modelId.optional(),
    periodS: periodS.optional(),
  }),
  output: z.object({ device, replaced: device }),
  errors: changeErrors,
})

/** Presets of a device: report period and opening limits. */
export const devicePreset = device.pick({
  id: true,
  imei: true,
  kind: true,
  name: true,
  nestaddr: true,
  periodS: true,
  limits: true,
  version: true,
  abilities: true,
})
export type DevicePreset = z.infer<typeof devicePreset>

export const getDevPre = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetDevPre',
  summary: 'Presets of devices in use that match a filter: report period and opening limits.',
  access: watchingDevices,
  effect: 'reads',
  input: filteredPage.extend({ nodes: z.array(node).max(2_000).optional() }),
  output: pageOf(devicePreset),
  errors: ['node.not-found', 'filter.unknown-field', 'filter.bad-pattern', 'filter.too-wide'],
})

export const updateDevPre = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/UpdateDevPre',
  summary: 'Sets report period and opening limits of many devices, all or none.',
  access: managingDevices,
  effect: 'changes',
  input: z
    .object({ items, periodS: periodS.optional(), limits: limits.nullable().optional() })
    .refine(({ periodS, limits }) => periodS !== undefined || limits !== undefined, somethingGiven),
  output: z.object({ datalist: z.array(devicePreset) }),
  errors: ['device.not-found', 'entity.stale', 'device.wrong-kind', 'device.retired', 'access.denied'],
})

export const isExistImei = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/IsExistImei',
  summary:
    'Whether a device of the company has this serial or IMEI. The device is only named if the caller can see it.',
  access: managingDevices,
  effect: 'reads',
  input: z.object({
    imei: topicPart,
    /** A node of the company, for staff of the provider; by default all companies that the caller can see. */
    node: node.optional(),
  }),
  output: z.object({ exists: z.boolean(), datalist: z.array(device) }),
  errors: ['node.not-found'],
})

export const wxUpdateDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/WxUpdateDevByTk',
  summary: 'Changes name, description or node of one device, for use on a phone.',
  access: managingDevices,
  effect: 'changes',
  input: z
    .object({
      id,
      version,
      name: givenName.optional(),
      description: description.optional(),
      node: node.optional(),
    })
    .refine(isAnythingGiven, somethingGiven),
  output: device,
  errors: [
    'device.not-found',
    'node.not-found',
    'entity.stale',
    'node.bad-place',
    'irrigation.sensor-attached',
    'access.denied',
  ],
})

export const devicesEndpoints = {
  getDevs,
  getDevice,
  getDeviceInfoByDeviceNos,
  getDev,
  insertDev,
  updateDev,
  updateBatchDev,
  deleteDev,
  replaceDev,
  getDevPre,
  updateDevPre,
  isExistImei,
  wxUpdateDevByTk,
} as const
