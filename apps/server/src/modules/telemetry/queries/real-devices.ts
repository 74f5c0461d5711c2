import type { FindingRule } from '@isotherm/contract/alarms/finding'
import type { DevicePresence } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { viewingFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import type * as api from '@isotherm/contract/endpoints/monitoring/real-values'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { createCover, intersectPaths, type Scope } from '../../../platform/scope/scope.ts'
import { createCallerGate } from '../../../platform/tasks/turns/caller-gate.ts'
import {
  type ColumnOrder,
  type DeviceSelection,
  type DeviceSelector,
  type DirectoryEntry,
  devicesBelow,
  isDeviceColumn,
  type OrderedDevices,
  toAbilities,
} from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'
import type { PresenceWatch } from '../presence/presence-watch.ts'
import { toDevicePresence } from '../presence/to-device-presence.ts'
import type { ListFindings } from '../quality/finding-changes.ts'
import { toDeviceState } from './latest-states.ts'
import { type Ranked, type Ranking, rankPage, takeMatching } from './rank-devices.ts'
import { createFindValue, isStateField, toStateTest } from './state-filter.ts'

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
  readonly selector: DeviceSelector
  readonly latest: Pick<LatestValues, 'find' | 'findReading' | 'instantOf' | 'qualityOf'>
  readonly presence: Pick<PresenceWatch, 'find' | 'findSeen' | 'findFirmware'>
  readonly listFindings: ListFindings
  readonly ordered: OrderedDevices
}

/**
 * Maximum number of matching devices that the database sorts. If more match, a page is searched only among the first
 * ones.
 */
const MAX_SORTED = 20_000
/**
 * A page is searched among this many devices in the requested order: first among the lower number, then among the next.
 */
const WINDOWS = [5_000, 50_000]
/** Maximum number of open findings from which devices are selected. */
const MAX_FOUND = 20_000
/** Maximum number of ranked devices that are held in memory for a page. */
const MAX_RANKED = 1_000_000
/** Scans over all devices that run at the same time, because each takes processor time from all; of each caller so many wait. */
const SCANS = { running: 2, waiting: 60 } as const

const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.every(createCover(outer))

interface PageByValues extends Omit<Ranking, 'findValue'> {
  readonly desc: boolean
  readonly limiter: Limiter
}

/** Ids of the devices below the paths; undefined for a device of another kind. */
function* idsBelow(
  devices: readonly DirectoryEntry[],
  { paths, kinds }: DeviceSelection,
): Generator<number | undefined> {
  const wanted = new Set(kinds)
  for (const { id, kind } of devicesBelow(devices, paths)) yield wanted.has(kind) ? id : undefined
}

const toStart = ({ page, size }: Limiter): number => (page - 1) * size

/** Splits a filter into conditions for the database and conditions on newest values. Throws filter.unknown-field. */
function splitFilter(filter: readonly FilterItem[]) {
  const unknown = filter.find(({ field }) => !isDeviceColumn(field) && !isStateField(field))
  if (unknown) throw new AppError('filter.unknown-field', { field: unknown.field })
  return {
    ofColumns: filter.filter(({ field }) => isDeviceColumn(field)),
    ofStates: filter.filter(({ field }) => isStateField(field)),
  }
}

export function createRealDevicesService(needs: RealDevicesNeeds): RealDevicesService {
  const { network, selector, latest, presence } = needs
  const gate = createCallerGate(SCANS)
  const findValue = createFindValue(latest)

  async function readAll(caller: Caller, ids: readonly number[]): Promise<RealPage['datalist']> {
    const found = new Map((await selector.find(caller.scope, ids)).map((device) => [device.id, device]))
    return ids.flatMap((id) => {
      const device = found.get(id)
      // It was removed or moved out of the scope between the two queries.
      if (!device) return []
      const state = latest.find(id)
      const seen = { ...device, abilities: toAbilities(caller, device.kind, device.use) }
      const [seenAt, firmware] = [presence.findSeen(id), presence.findFirmware(id)]
      return [
        {
          device: seen,
          ...(state ? { state: toDeviceState(state) } : {}),
          presence: toDevicePresence(presence, id),
          ...(seenAt === undefined ? {} : { seenAt }),
          ...(firmware === undefined ? {} : { firmware }),
        },
      ]
    })
  }

  /** Paths of the narrowest select. Throws node.not-found if it is not inside the wider ones. */
  async function resolveSelects(scope: Scope, selects: ThreeSelects): Promise<readonly string[]> {
    const { projectId, groupId, uuid, nodes = [] } = selects
    let paths = await network.resolveNodes(scope, [])
    for (const id of [projectId, groupId, uuid]) {
      if (id === undefined) continue
      const narrower = await network.resolveNodes(scope, [String(id)])
      if (!isWithin(narrower, paths)) throw new AppError('node.not-found')
      paths = narrower
    }
    return nodes.length === 0 ? paths : intersectPaths(paths, await network.resolveNodes(scope, nodes))
  }

  /** Ids of the selected devices. Other devices are undefined, so that they count for the time slices. */
  async function listCandidates(
    scope: Scope,
    selection: DeviceSelection,
  ): Promise<Iterable<number | undefined>> {
    if (selection.filter.length > 0 || selection.text || selection.ids)
      return selector.listMatching(scope, selection)
    return idsBelow(await needs.ordered.read(), selection)
  }

  /** Devices with an open finding of one of the rules. Throws access.denied if the caller may not see findings. */
  async function listFound(
    { scope, permissions }: Caller,
    paths: readonly string[],
    rules: readonly FindingRule[],
  ): Promise<readonly number[]> {
    if (!viewingFindings.anyOf.some((permission) => permissions.has(permission)))
      throw new AppError('access.denied')
    const range = { deviceIds: undefined, from: undefined, to: undefined, isOpen: true }
    const limiter = { page: 1, size: MAX_FOUND }
    const { datalist, total } = await needs.listFindings(scope, { paths, rules, ...range, limiter })
    if (total > MAX_FOUND) throw new AppError('filter.too-wide')
    return [...new Set(datalist.map(({ deviceId }) => deviceId))]
  }

  /** Whether the newest values and the presence of a device match. */
  const toMatch =
    (matches: (id: number) => boolean, wanted: readonly DevicePresence[] | undefined) =>
    (id: number): boolean =>
      matches(id) && (wanted?.includes(toDevicePresence(presence, id)) ?? true)

  /** A page of the selected devices whose newest values match, ordered by one of these values. */
  async function rank(scope: Scope, selection: DeviceSelection, by: PageByValues): Promise<Ranked> {
    const [start, { size }] = [toStart(by.limiter), by.limiter]
    if (start + size > MAX_RANKED) throw new AppError('filter.too-wide')
    return gate(async () => {
      const ids = await listCandidates(scope, selection)
      return rankPage(ids, { ...by, findValue }, { start, size, desc: by.desc })
    })
  }

  /**
   * A page of the selected devices whose newest values match, in an order of the database. If few devices match, the
   * database sorts all of them; if many match, the page is searched among the first ones. Throws filter.too-wide if it
   * is not there.
   */
  async function listByValues(
    scope: Scope,
    selection: DeviceSelection,
    {
      matches,
      order,
      limiter,
    }: Pick<PageByValues, 'matches' | 'limiter'> & { readonly order: ColumnOrder | undefined },
  ): Promise<Ranked> {
    const { ids, total } = await gate(async () => {
      const candidates = await listCandidates(scope, selection)
      return takeMatching(candidates, matches, MAX_SORTED)
    })
    const start = toStart(limiter)
    if (start >= total) return { ids: [], total }
    if (total <= MAX_SORTED) {
      const sorted = await selector.select(
        scope,
        { ...selection, filter: [], text: undefined, ids },
        { order, limiter },
      )
      return { ids: sorted.ids, total }
    }
    const wanted = Math.min(start + limiter.size, total)
    for (const size of WINDOWS) {
      const window = await selector.listFirst(scope, selection, { order, limiter: { page: 1, size } })
      const matching = window.filter(matches)
      if (matching.length >= wanted) return { ids: matching.slice(start, wanted), total }
    }
    throw new AppError('filter.too-wide')
  }

  return {
    async listSelected(caller, { orderBy, desc = false, ...selects }) {
      const { kinds, filter, limiter, text, presence: wanted, rules } = selects
      const { ofColumns, ofStates } = splitFilter(filter)
      const { scope } = caller
      const paths = await resolveSelects(scope, selects)
      const ids = rules && (await listFound(caller, paths, rules))
      const selection = { paths, kinds, filter: ofColumns, text: text?.trim() || undefined, ids }
      const matches = toMatch(toStateTest(ofStates, findValue), wanted)
      if (orderBy !== undefined && isStateField(orderBy)) {
        const ranked = await rank(scope, selection, { matches, field: orderBy, desc, limiter })
        return { datalist: await readAll(caller, ranked.ids), total: ranked.total }
      }
      const order = orderBy === undefined ? undefined : { column: orderBy, desc }
      const found =
        ofStates.length === 0 && !wanted
          ? await selector.select(scope, selection, { order, limiter })
          : await listByValues(scope, selection, { matches, order, limiter })
      return { datalist: await readAll(caller, found.ids), total: found.total }
    },

    async listByNode(caller, { nodes, kinds, limiter }) {
      const paths = await network.resolveNodes(caller.scope, nodes)
      const { ids, total } = await selector.select(caller.scope, { paths, kinds, filter: [] }, { limiter })
      const [found, places] = await Promise.all([
        readAll(caller, ids),
        selector.findPlaces(caller.scope, ids),
      ])
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
      const below = await selector.select(scope, { paths, kinds, filter: [] }, { limiter })
      const isBelow = createCover(paths)
      const given = await selector.listOfKinds(scope, { ids: deviceIds, kinds })
      const alone = given.filter(({ path }) => !isBelow(path)).map(({ id }) => id)
      // Devices that are named directly come after the others.
      const [first, last] = [toStart(limiter), toStart(limiter) + limiter.size].map((at) => at - below.total)
      const ids = [...below.ids, ...alone.slice(Math.max(0, first ?? 0), Math.max(0, last ?? 0))]
      return { datalist: await readAll(caller, ids), total: below.total + alone.length }
    },
  }
}
