import type { Device, DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import type { DevicePreset, devicesEndpoints } from '@isotherm/contract/endpoints/devices/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import type { Caller } from '../../../platform/http/call.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { intersectPaths, toProjectIds } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import type { DeviceDirectory } from '../directory/directory.ts'
import type { DevicesService } from '../lists/service.ts'
import { withAbilities } from '../policy.ts'
import type { RegistryService } from './registry-service.ts'
import type { FindWithReadings } from './remove-devices.pg.ts'

export interface RegistryHandlersDependencies {
  readonly devices: DevicesService
  readonly changes: RegistryService
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly findWithReadings: FindWithReadings
  /** Messages of a device are stored once the directory has it. */
  readonly directory: Pick<DeviceDirectory, 'readChanged'>
}

interface FilteredPlaces {
  readonly nodes?: readonly string[] | undefined
  readonly filter: readonly FilterItem[]
  readonly limiter: Limiter
  readonly kinds?: readonly DeviceKind[] | undefined
  readonly use?: DeviceUse | undefined
  readonly text?: string | undefined
}

const toPreset = ({
  id,
  imei,
  kind,
  name,
  nestaddr,
  periodS,
  limits,
  version,
  abilities,
}: Device): DevicePreset => ({
  id,
  imei,
  kind,
  name,
  nestaddr,
  periodS,
  version,
  abilities,
  ...(limits ? { limits } : {}),
})

export function createRegistryHandlers({
  devices,
  changes,
  network,
  findWithReadings,
  directory,
}: RegistryHandlersDependencies): HandlersOf<keyof typeof devicesEndpoints> {
  const forCaller = (caller: Caller) => (device: Device) => withAbilities(caller, device)

  async function search(caller: Caller, { nodes = [], ...query }: FilteredPlaces) {
    const paths = await network.resolveNodes(caller.scope, nodes)
    const { datalist, total } = await devices.search(caller.scope, { paths, ...query })
    return { datalist: datalist.map(forCaller(caller)), total }
  }

  /** Paths of the intersection of the groups. Everything the caller sees if no group is given. */
  async function resolveGroups({ scope }: Caller, ids: readonly (number | undefined)[]) {
    const given = ids.flatMap((id) => (id === undefined ? [] : [String(id)]))
    const [first = [], ...others] = await Promise.all(
      (given.length === 0 ? [[]] : given.map((key) => [key])).map((keys) =>
        network.resolveNodes(scope, keys),
      ),
    )
    return others.reduce(intersectPaths, first)
  }

  /**
   * Whether a number is taken in a company where the caller can use it: the company of the node, the caller's own, or
   * all companies the caller sees something of. A number is unique only within its company.
   */
  async function isTaken({ companyId, scope }: Caller, imei: string, node: string | undefined) {
    if (node !== undefined) {
      const [path] = await network.resolveNodes(scope, [node])
      return path !== undefined && devices.isTaken(imei, { path })
    }
    if (companyId !== undefined || scope.kind === 'all') return devices.isTaken(imei, { companyId })
    for (const project of toProjectIds(scope.paths)) {
      if (await devices.isTaken(imei, { path: `/${project}/` })) return true
    }
    return false
  }

  return {
    async getDevs({ projectId, groupId, id, kind, use = 'in-use', text, pageNo, pageSize }, { caller }) {
      const paths = await resolveGroups(caller, [projectId, groupId, id])
      const limiter = { page: pageNo, size: pageSize }
      const kinds = kind ? [kind] : undefined
      const found = await devices.search(caller.scope, { paths, kinds, use, text, limiter })
      return { list: found.datalist.map(forCaller(caller)), total: found.total }
    },
    async getDevice({ id }, { caller }) {
      return withAbilities(caller, await devices.getDevice(caller.scope, id))
    },
    getDeviceInfoByDeviceNos: async ({ deviceNos }, { caller }) => ({
      list: (await devices.getNamed(caller.scope, deviceNos)).map(forCaller(caller)),
    }),
    getDev: (query, { caller }) => search(caller, query),
    async getDevPre(query, { caller }) {
      const { datalist, total } = await search(caller, { ...query, use: 'in-use' })
      return { datalist: datalist.map(toPreset), total }
    },
    async isExistImei({ imei, node }, { caller }) {
      const exists = await isTaken(caller, imei, node)
      return { exists, datalist: (await devices.findNamed(caller.scope, imei)).map(forCaller(caller)) }
    },
    async insertDev(given, call) {
      const added = await changes.add(call, given)
      await directory.readChanged([added.id])
      return added
    },
    updateDev: ({ id, version, ...given }, call) => changes.changeOne(call, { id, version }, given),
    wxUpdateDevByTk: ({ id, version, ...given }, call) => changes.changeOne(call, { id, version }, given),
    updateBatchDev: async ({ items, changes: given }, call) => ({
      datalist: await changes.change(call, items, given),
    }),
    updateDevPre: async ({ items, ...given }, call) => ({
      datalist: (await changes.change(call, items, given)).map(toPreset),
    }),
    deleteDev: async ({ items }, call) => ({ ids: await changes.remove(call, items, findWithReadings) }),
    replaceDev: (replacement, call) => changes.replace(call, replacement),
  }
}
