import type { Command } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getCtlLog, publishMqCtlCmd, updateDevLastOpenset } from '@isotherm/contract/endpoints/commands'
import { ulid } from 'ulid'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import type { DeviceGroupsService, Devices, DevicesService, LastOpening } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { checkOpening } from './limits.ts'
import type { CommandStore, NewCommand } from './store.ts'
import { DEFAULT_VALIDITY_MS } from './timing.ts'

export interface CommandsServiceNeeds {
  readonly store: CommandStore
  readonly devices: DevicesService
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  readonly network: NetworkService
  readonly clock: Clock
  /** Newest measured opening of a valve. */
  readonly findOpening: (deviceId: number) => number | undefined
  /** Something is due to be dispatched. */
  readonly wake: () => void
}

export interface CommandsService {
  /** Stores commands to valves, all or none; the dispatcher does the rest. */
  give(call: Call, order: InputOf<typeof publishMqCtlCmd>): Promise<{ batchId: string; commands: Command[] }>
  cancel(call: Call, ids: readonly string[]): Promise<Command[]>
  /** Notes openings asked by other means, all or none; what is noted now of each valve. */
  noteOpenings(call: Call, items: InputOf<typeof updateDevLastOpenset>['items']): Promise<LastOpening[]>
  list(caller: Caller, query: InputOf<typeof getCtlLog>): Promise<{ datalist: Command[]; total: number }>
  listLast(caller: Caller, deviceIds: readonly number[]): Promise<Command[]>
}

/** How far ahead a client's clock may be. */
const CLOCK_ERROR_MS = 60_000

type Order = InputOf<typeof publishMqCtlCmd>
type Targets = readonly { readonly deviceId: number; readonly openingPct: number }[]

export function createCommandsService(needs: CommandsServiceNeeds): CommandsService {
  const { store, devices, groups, network, clock } = needs

  async function readCommands(caller: Caller, ids: readonly string[]): Promise<Command[]> {
    const found = await store.find(caller.scope, ids)
    return found.map(({ command }) => command)
  }

  /** The valves an order is for, each once, with their openings. */
  async function findTargets(caller: Caller, { targets, groupId, openingPct }: Order): Promise<Targets> {
    if (targets && groupId === undefined && openingPct === undefined) return targets
    if (targets || groupId === undefined || openingPct === undefined) {
      throw new AppError('request.malformed', { detail: 'targets: either these, or groupId and openingPct' })
    }
    const { name, valveIds } = await groups.getValves(caller, groupId)
    if (valveIds.length === 0) throw new AppError('device.not-controllable', { device: name })
    return valveIds.map((deviceId) => ({ deviceId, openingPct }))
  }

  /** The devices in the order given. Throws for one that is given twice, foreign or not to be told so. */
  async function getValves(caller: Caller, targets: Targets, name: string): Promise<readonly Device[]> {
    const ids = targets.map(({ deviceId }) => deviceId)
    if (new Set(ids).size < ids.length) {
      throw new AppError('request.malformed', { detail: `${name}: a device stands there twice` })
    }
    return devices.getDevices(caller.scope, ids)
  }

  async function plan(caller: Caller, order: Order): Promise<readonly NewCommand[]> {
    const targets = await findTargets(caller, order)
    const known = await getValves(caller, targets, 'targets')
    const switchedOff = new Set(await needs.listSwitchedOff(known.map(({ id }) => id)))
    const createdAt = clock.now()
    const expiresAt = createdAt + (order.validityS ? order.validityS * 1_000 : DEFAULT_VALIDITY_MS)
    const batchId = ulid(createdAt)
    const { reason } = order
    return targets.map(({ deviceId, openingPct }, index) => {
      const device = known[index]
      if (!device) throw new AppError('device.not-found')
      if (switchedOff.has(deviceId)) throw new AppError('device.not-controllable', { device: device.name })
      checkOpening(device, openingPct)
      return {
        ...{ id: ulid(createdAt), batchId, deviceId, openingPct },
        previousPct: needs.findOpening(deviceId),
        ...{ actor: caller.account, reason, createdAt, expiresAt },
      }
    })
  }

  return {
    async give({ caller, operation }, order) {
      const commands = await plan(caller, order)
      await store.insertAll(commands, operation)
      needs.wake()
      const ids = commands.map(({ id }) => id)
      return { batchId: commands[0]?.batchId ?? '', commands: await readCommands(caller, ids) }
    },

    async cancel({ caller, operation }, ids) {
      const found = await store.find(caller.scope, ids)
      if (found.length < new Set(ids).size) throw new AppError('command.not-found')
      if (found.some(({ command }) => command.state !== 'queued'))
        throw new AppError('command.not-cancellable')
      const facts = { at: clock.now(), detail: caller.account }
      if (!(await store.cancelAll(ids, facts, operation))) throw new AppError('command.not-cancellable')
      return readCommands(caller, ids)
    },

    async noteOpenings({ caller, operation }, items) {
      const now = clock.now()
      if (items.some(({ at = now }) => at > now + CLOCK_ERROR_MS)) {
        throw new AppError('request.malformed', { detail: 'items: at is in the future' })
      }
      const asked = items.map(({ at = now, ...item }) => ({ ...item, at: Math.min(at, now) }))
      for (const device of await getValves(caller, asked, 'items')) {
        if (device.kind !== 'valve') throw new AppError('device.not-controllable', { device: device.name })
      }
      return [...(await store.noteOpenings(asked, operation))]
    },

    async list(caller, { nodes, deviceIds, ...query }) {
      const paths = nodes && nodes.length > 0 ? await network.resolveNodes(caller.scope, nodes) : undefined
      if (deviceIds && deviceIds.length > 0) await devices.getDevices(caller.scope, deviceIds)
      return store.list(caller.scope, {
        ...query,
        paths,
        deviceIds: deviceIds?.length ? deviceIds : undefined,
      })
    },

    async listLast(caller, deviceIds) {
      await devices.getDevices(caller.scope, deviceIds)
      return store.listLast(caller.scope, deviceIds)
    },
  }
}
