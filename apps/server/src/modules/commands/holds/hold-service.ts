import type { CommandPriority, ValveHold } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import {
  type getControlLimits,
  type getHolds,
  type NodeLimits,
  setControlLimits,
} from '@isotherm/contract/endpoints/control/valve-holds'
import type { NodeKey } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { ROOT_PATH, type Scope } from '../../../platform/scope/scope.ts'
import type { DevicesService } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { findLimits, setLimits } from '../limits/limits-of-nodes.pg.ts'
import { findHoldPriorities, listHolds, releaseHolds } from './holds.pg.ts'

/** Holds on valves and stations, and the limits of nodes. A hold is an override of a setpoint until an instant. */
export interface HoldService {
  list(caller: Caller, query: InputOf<typeof getHolds>): Promise<{ datalist: ValveHold[]; total: number }>
  /** Priority of the hold in force on an opening or a head, by device; without a check of access. */
  findHoldPriorities(deviceIds: readonly number[]): Promise<ReadonlyMap<number, CommandPriority>>
  /** Ends all of the holds or none; returns their ids. Throws hold.not-found. */
  release(call: Call, ids: readonly number[]): Promise<number[]>
  listLimits(caller: Caller, nodes: InputOf<typeof getControlLimits>['nodes']): Promise<NodeLimits[]>
  /** Throws node.not-found unless the whole node is granted, and entity.stale after another change. */
  setLimits(call: Call, limits: InputOf<typeof setControlLimits>): Promise<NodeLimits>
}

const noNodes: ReadonlyMap<NodeKey, string> = new Map()

const maySet = ({ permissions }: Caller): boolean =>
  setControlLimits.access.anyOf.some((permission) => permissions.has(permission))

export function createHoldService(needs: {
  readonly db: Database
  readonly clock: Clock
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts' | 'findKeys'>
}): HoldService {
  const { db, clock, devices, network } = needs

  /** Paths of the nodes that are granted as a whole. The root has no limits. */
  async function findWhole(scope: Scope, nodes: readonly NodeKey[]): Promise<ReadonlyMap<NodeKey, string>> {
    const parts = await network.findParts(scope, nodes)
    const single = [...parts].flatMap(([node, [path, ...others]]) =>
      path === undefined || path === ROOT_PATH || others.length > 0 ? [] : [{ node, path }],
    )
    // For a node above a single grant, `findParts` returns that grant. Compare keys to select only whole nodes.
    const paths = single.map(({ path }) => path)
    const keys = new Set(await network.findKeys(scope, paths))
    return new Map(single.flatMap(({ node, path }) => (keys.has(node) ? [[node, path]] : [])))
  }

  async function listLimits(caller: Caller, nodes: readonly NodeKey[]): Promise<NodeLimits[]> {
    await network.resolveNodes(caller.scope, nodes)
    const limits = await findLimits(db, caller.scope, nodes)
    const whole = maySet(caller) ? await findWhole(caller.scope, nodes) : noNodes
    return nodes.map((node) => ({
      node,
      version: 0,
      ...limits.get(node),
      abilities: whole.has(node) ? ['set'] : [],
    }))
  }

  return {
    async list(caller, { nodes, deviceIds, limiter }) {
      const paths = nodes?.length ? await network.resolveNodes(caller.scope, nodes) : undefined
      if (deviceIds?.length) await devices.getDevices(caller.scope, deviceIds)
      const ids = deviceIds?.length ? deviceIds : undefined
      return listHolds(db, caller.scope, { now: clock.now(), paths, deviceIds: ids, limiter })
    },

    findHoldPriorities: (deviceIds) => findHoldPriorities(db, deviceIds, clock.now()),

    release: ({ caller, operation }, ids) =>
      operate(db, operation, async (transaction) => {
        const by = { at: clock.now(), actor: caller.account }
        if (!(await releaseHolds(transaction, ids, by))) throw new AppError('hold.not-found')
        return [...ids]
      }),

    listLimits,

    async setLimits({ caller, operation }, { node, version, ...limits }) {
      const path = (await findWhole(caller.scope, [node])).get(node)
      if (path === undefined) throw new AppError('node.not-found')
      await operate(db, operation, (transaction) => setLimits(transaction, path, limits, version))
      const [set] = await listLimits(caller, [node])
      if (!set) throw new AppError('node.not-found')
      return set
    },
  }
}
