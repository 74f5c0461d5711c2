import type { CommandState } from '@isotherm/contract/command'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { Log } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope.ts'
import type { Signals } from '../../platform/signals.ts'
import type { DeviceDirectory, DeviceGroupsService, Devices, DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { createConfirmations, type OpeningReading } from './confirmations.ts'
import { startDispatcher } from './dispatcher.ts'
import { createReplies, type ReplyingNode, type ReplyReject } from './replies.ts'
import { type CommandsService, createCommandsService } from './service.ts'
import { isFinal } from './state-machine.ts'
import { createCommandStore } from './store.pg.ts'
import type { PlacedCommand } from './store.ts'
import { withdrawCommands } from './withdraw-commands.pg.ts'

export { addCommandMetrics } from './command-metrics.ts'
export type { OpeningReading } from './confirmations.ts'
export { createCommandsHandlers } from './handlers.ts'
export { commandsMigrations } from './migrations.pg.ts'
export { createCommandsReferences } from './references.pg.ts'
export type { ReplyingNode, ReplyReject } from './replies.ts'
export type { CommandsService } from './service.ts'
export type { PlacedCommand } from './store.ts'

export interface CommandsNeeds {
  readonly db: Database
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly devices: DevicesService
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  readonly changes: Pick<Devices['changes'], 'onRetiring'>
  readonly directory: DeviceDirectory
  readonly network: NetworkService
  /** Newest measured opening of a valve, %. */
  readonly findOpening: (deviceId: number) => number | undefined
  /** Publishes to a device at QoS 1; nobody else publishes to a command topic. */
  readonly publish: (topic: string, payload: string) => Promise<void>
}

/** Everything commands offer to the composition root. */
export interface Commands {
  readonly service: CommandsService
  /** A message on up/reply. Resolves when it is stored, with the reason for one that is none of ours. */
  takeReply(from: ReplyingNode, payload: Uint8Array): Promise<ReplyReject | undefined>
  /** A device acknowledged a message on down/cmd. */
  takeDelivery(payload: Uint8Array): Promise<void>
  /** A valve's opening from the live stream, after it was stored. */
  observeOpening(reading: OpeningReading): void
  /** Calls `changed` with each command that changes, on whichever replica. Returns how to stop. */
  onChanged(changed: (command: PlacedCommand) => void): () => void
  /** Commands in each state that is not final. */
  countOpen(): Promise<ReadonlyMap<CommandState, number>>
  close(): Promise<void>
}

export async function createCommands(needs: CommandsNeeds): Promise<Commands> {
  const { db, signals, clock, log, directory } = needs
  const store = createCommandStore(db)
  const confirmations = createConfirmations(store, clock, log)
  const listeners = new Set<(command: PlacedCommand) => void>()
  const dispatcher = startDispatcher({ store, directory, publish: needs.publish, clock, log })
  const replies = createReplies({ store, directory, clock, onDone: confirmations.expect })
  await confirmations.reload()
  const stopWithdrawing = needs.changes.onRetiring(withdrawCommands)

  async function tell(id: string | undefined): Promise<void> {
    dispatcher.wake()
    if (!id) return confirmations.reload()
    const [placed] = await store.find(scopeOfEverything, [id])
    if (!placed) return
    for (const listener of listeners) listener(placed)
    const { command } = placed
    if (isFinal(command.state)) confirmations.forget({ id, deviceId: command.deviceId })
    else if (command.state === 'done' && !confirmations.isExpected(command)) await confirmations.reload()
  }

  // One after the other, so that listeners hear of a command's states in their order.
  let telling: Promise<void> = Promise.resolve()
  const stopListening = signals.listen('command_changed', (id) => {
    telling = telling
      .then(() => tell(id))
      .catch((error: unknown) => log.warn({ err: error }, 'could not tell of a command'))
  })

  return {
    service: createCommandsService({
      ...needs,
      store,
      wake: dispatcher.wake,
    }),
    takeReply: replies.takeReply,
    takeDelivery: replies.takeDelivery,
    observeOpening: confirmations.observe,
    onChanged(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    countOpen: store.countOpen,
    async close() {
      stopListening()
      stopWithdrawing()
      await dispatcher.close()
      await telling
    },
  }
}
