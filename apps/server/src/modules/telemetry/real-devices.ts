import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/real-values'
import type { FilterItem } from '@isotherm/contract/filter'
import { AppError } from '../../platform/app-error.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { Scope } from '../../platform/scope.ts'
import { isDeviceColumn, type RealDevices, toAbilities } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { LatestValues } from './latest-values.ts'
import { toDeviceState } from './service.ts'
import { findValue, isStateField, toStateTest } from './state-filter.ts'

type ThreeSelects = InputOf<typeof api.getThreeSelectNewRealDev>
type Ordered = Partial<Pick<InputOf<typeof api.getThreeSelectNewRealDevOrderBy>, 'orderBy' | 'desc'>>
type RealPage = OutputOf<typeof api.getThreeSelectNewRealDev>

/** Devices with their newest values; every answer is narrowed to the caller's scope. */
export interface RealDevicesService {
  listSelected(caller: Caller, query: ThreeSelects & Ordered): Promise<RealPage>
  listByNode(
    caller: Caller,
    query: InputOf<typeof api.getDataLastFromPrjTree>,
  ): Promise<OutputOf<typeof api.getDataLastFromPrjTree>>
  listOfLeafs(caller: Caller, query: InputOf<typeof api.rbacGetDataLastFromLeafs>): Promise<RealPage>
}

export interface RealDevicesNeeds {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly real: RealDevices
  readonly latest: Pick<LatestValues, 'find'>
}

const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.every((path) => outer.some((wider) => path.startsWith(wider)))

/** Conditions for the database and those for what is held in memory. Throws filter.unknown-field. */
function splitFilter(filter: readonly FilterItem[]) {
  const unknown = filter.find(({ field }) => !isDeviceColumn(field) && !isStateField(field))
  if (unknown) throw new AppError('filter.unknown-field', { field: unknown.field })
  return {
    ofColumns: filter.filter(({ field }) => isDeviceColumn(field)),
    ofStates: filter.filter(({ field }) => isStateField(field)),
  }
}

export function createRealDevicesService(needs: RealDevicesNeeds): RealDevicesService {
  const { network, real, latest } = needs

  async function readAll(caller: Caller, ids: readonly number[]): Promise<RealPage['datalist']> {
    const found = new Map((await real.find(caller.scope, ids)).map((device) => [device.id, device]))
    return ids.flatMap((id) => {
      const device = found.get(id)
      // Removed or moved out of the scope between the two questions.
      if (!device) return []
      const state = latest.find(id)
      const seen = { ...device, abilities: toAbilities(caller, device.kind, device.use) }
      return [{ device: seen, ...(state ? { state: toDeviceState(state) } : {}) }]
    })
  }

  /** Paths of the narrowest of the selects. Throws node.not-found when it does not lie in the wider ones. */
  async function resolveSelects(scope: Scope, selects: ThreeSelects): Promise<readonly string[]> {
    const { projectId, groupId, uuid } = selects
    let paths = await network.resolveNodes(scope, [])
    for (const id of [projectId, groupId, uuid]) {
      if (id === undefined) continue
      const narrower = await network.resolveNodes(scope, [String(id)])
      if (!isWithin(narrower, paths)) throw new AppError('node.not-found')
      paths = narrower
    }
    return paths
  }

  /** Ids in the order of a newest value; those without it come last, equal ones in the order they had. */
  function rank(ids: readonly number[], field: string, desc: boolean): readonly number[] {
    const valued = ids.map((id) => ({ id, value: findValue(latest.find(id), field) }))
    const last = desc ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    return valued
      .toSorted(({ value: left = last }, { value: right = last }) =>
        left === right ? 0 : desc ? right - left : left - right,
      )
      .map(({ id }) => id)
  }

  return {
    async listSelected(caller, { kinds, filter, limiter, orderBy, desc = false, ...selects }) {
      const { ofColumns, ofStates } = splitFilter(filter)
      const matches = toStateTest(ofStates)
      const isByState = orderBy !== undefined && isStateField(orderBy)
      const order = isByState ? 'id' : orderBy === undefined ? undefined : { column: orderBy, desc }
      const { scope } = caller
      const paths = await resolveSelects(scope, { kinds, filter, limiter, ...selects })
      const selection = { paths, kinds, filter: ofColumns }
      if (!isByState && ofStates.length === 0) {
        const { ids, total } = await real.select(scope, selection, { order, limiter })
        return { datalist: await readAll(caller, ids), total }
      }
      // Newest values are in memory: what the database selects is looked through there.
      const { ids } = await real.select(scope, selection, { order })
      const matching = ids.filter((id) => matches(latest.find(id)))
      const ranked = isByState ? rank(matching, orderBy, desc) : matching
      const start = (limiter.page - 1) * limiter.size
      const page = ranked.slice(start, start + limiter.size)
      return { datalist: await readAll(caller, page), total: ranked.length }
    },

    async listByNode(caller, { nodes, kinds, limiter }) {
      const paths = await network.resolveNodes(caller.scope, nodes)
      const { ids, total } = await real.select(caller.scope, { paths, kinds, filter: [] }, { limiter })
      const [found, places] = await Promise.all([readAll(caller, ids), real.findPlaces(caller.scope, ids)])
      const datalist: OutputOf<typeof api.getDataLastFromPrjTree>['datalist'] = []
      for (const { device, ...rest } of found) {
        const place = places.get(device.id)
        if (!place) continue
        const { label, level, parentids } = place
        const { node: id, nestaddr } = device
        if (datalist.at(-1)?.id !== id) datalist.push({ id, label, level, parentids, nestaddr, devices: [] })
        datalist.at(-1)?.devices.push({ device, ...rest })
      }
      return { datalist, total }
    },

    async listOfLeafs(caller, { nodes, deviceIds, kinds, limiter }) {
      const { scope } = caller
      const paths = nodes.length > 0 ? await network.resolveNodes(scope, nodes) : []
      const below = await real.select(scope, { paths, kinds, filter: [] }, {})
      const alone = await real.listOfKinds(scope, { ids: deviceIds, kinds })
      const ids = [...new Set([...below.ids, ...alone])]
      const start = (limiter.page - 1) * limiter.size
      return { datalist: await readAll(caller, ids.slice(start, start + limiter.size)), total: ids.length }
    },
  }
}
