import type { Command } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getCtlLog, publishMqCtlCmd } from '@isotherm/contract/endpoints/commands'
import { ulid } from 'ulid'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { checkOpening } from './limits.ts'
import type { CommandStore, NewCommand } from './store.ts'
import { DEFAULT_VALIDITY_MS } from './timing.ts'

export interface CommandsServiceNeeds {
  readonly store: CommandStore
  readonly devices: DevicesService
  readonly network: NetworkService
  readonly clock: Clock
  /** Newest measured opening of a valve. */
  readonly findOpening: (deviceId: number) => number | undefined
  /** Something is due to be dispatched. */
  readonly wake: () => void
}

export interface CommandsService {
  /** Stores commands to valves, all or none; the dispatcher does the rest. */
  give(
    caller: Caller,
    order: InputOf<typeof publishMqCtlCmd>,
  ): Promise<{ batchId: string; commands: Command[] }>
  cancel(caller: Caller, ids: readonly string[]): Promise<Command[]>
  list(caller: Caller, query: InputOf<typeof getCtlLog>): Promise<{ datalist: Command[]; total: number }>
  listLast(caller: Caller, deviceIds: readonly number[]): Promise<Command[]>
}

export function createCommandsService(needs: CommandsServiceNeeds): CommandsService {
  const { store, devices, network, clock } = needs

  async function readCommands(caller: Caller, ids: readonly string[]): Promise<Command[]> {
    const found = await store.find(caller.scope, ids)
    return found.map(({ command }) => command)
  }

  async function plan(
    caller: Caller,
    order: InputOf<typeof publishMqCtlCmd>,
  ): Promise<readonly NewCommand[]> {
    const ids = order.targets.map((target) => target.deviceId)
    if (new Set(ids).size < ids.length) {
      throw new AppError('request.malformed', { detail: 'targets: a device stands there twice' })
    }
    const known = await devices.getDevices(caller.scope, ids)
    const createdAt = clock.now()
    const expiresAt = createdAt + (order.validityS ? order.validityS * 1_000 : DEFAULT_VALIDITY_MS)
    const batchId = ulid(createdAt)
    return order.targets.map(({ deviceId, openingPct }, index) => {
      const device = known[index]
      if (!device) throw new AppError('device.not-found')
      checkOpening(device, openingPct)
      const previousPct = needs.findOpening(deviceId)
      const { account: actor } = caller
      const { reason } = order
      return {
        id: ulid(createdAt),
        batchId,
        deviceId,
        openingPct,
        previousPct,
        actor,
        reason,
        createdAt,
        expiresAt,
      }
    })
  }

  return {
    async give(caller, order) {
      const commands = await plan(caller, order)
      await store.insertAll(commands)
      needs.wake()
      const ids = commands.map(({ id }) => id)
      return { batchId: commands[0]?.batchId ?? '', commands: await readCommands(caller, ids) }
    },

    async cancel(caller, ids) {
      const found = await store.find(caller.scope, ids)
      if (found.length < new Set(ids).size) throw new AppError('command.not-found')
      if (found.some(({ command }) => command.state !== 'queued'))
        throw new AppError('command.not-cancellable')
      const all = await store.cancelAll(ids, { at: clock.now(), detail: caller.account })
      if (!all) throw new AppError('command.not-cancellable')
      return readCommands(caller, ids)
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
