import { randomUUID } from 'node:crypto'
import type { CommandState } from '@isotherm/contract/command'
import type { DeviceState } from '@isotherm/contract/devices'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { RequestProperties } from '../../platform/mqtt/broker-port.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { DeviceDirectory, DeviceGroupsService, Devices, DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { createNews } from './command-events.ts'
import { createConfirmations, type MeasuredAt } from './dispatch/confirmations.ts'
import { findConfirmingValues, type StoredReading } from './dispatch/confirming-readings.ts'
import { startDispatcher } from './dispatch/dispatcher.ts'
import { listAsleep, postpone, releaseLanes, takeFromLanes } from './dispatch/queues.pg.ts'
import { createReplies, type ReplyingNode, type ReplyReject } from './dispatch/replies.ts'
import { createHoldService, type HoldService } from './holds/hold-service.ts'
import { expireHolds, findHoldNews, type HoldNews, withdrawHolds } from './holds/holds.pg.ts'
import { handOverPumpLimits } from './limits/pump-limits.pg.ts'
import type { PlacedCommand } from './model/records.ts'
import { isFinal } from './model/state-machine.ts'
import { type BatchService, createBatchReader, createBatchService } from './orders/batch-service.ts'
import { type BatchNews, createBatchStore, findBatchNews, finishBatches } from './orders/batches.pg.ts'
import { createPumpService, type PumpService } from './orders/pump-service.ts'
import { type CommandsService, createCommandsService } from './orders/service.ts'
import { createCommandStore } from './store/store.pg.ts'
import { withdrawCommands } from './store/withdraw-commands.pg.ts'

export { addCommandMetrics } from './command-metrics.ts'
export type { ReplyingNode, ReplyReject } from './dispatch/replies.ts'
export {
  createBatchHandlers,
  createCommandsHandlers,
  createHoldHandlers,
  createPumpHandlers,
} from './handlers.ts'
export type { HoldService } from './holds/hold-service.ts'
export type { HoldNews } from './holds/holds.pg.ts'
export { commandsMigrations } from './migrations.pg.ts'
export type { Beside, PlacedCommand } from './model/records.ts'
export type { BatchService } from './orders/batch-service.ts'
export type { BatchNews } from './orders/batches.pg.ts'
export type { PumpService } from './orders/pump-service.ts'
export type { CommandsService } from './orders/service.ts'
export { createCommandsReferences } from './references.pg.ts'

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
  /** Newest metrics of a device, by name; no pump takes a head without them. */
  readonly findMetrics?: (deviceId: number) => DeviceState['metrics'] | undefined
  /** Publishes to a device at QoS 1; nobody else publishes to a command topic. */
  readonly publish: (topic: string, payload: string, request: RequestProperties) => Promise<void>
  /** Whether an MQTT client is there to be published to; true where nobody can tell. */
  readonly isConnected: (node: string) => boolean
}

/** Everything commands offer to the composition root. */
export interface Commands {
  readonly service: CommandsService
  readonly batches: BatchService
  readonly holds: HoldService
  readonly pumps: PumpService
  /** A message on up/reply. Resolves when it is stored, with the reason for one that is none of ours. */
  takeReply(from: ReplyingNode, payload: Uint8Array): Promise<ReplyReject | undefined>
  /** A device acknowledged a message on down/cmd. */
  takeDelivery(payload: Uint8Array): Promise<void>
  /** A device that has a link of its own was heard: if it sleeps between its reports, it listens now. */
  noteUplink(deviceId: number): void
  /** Live readings that this server stored: they can confirm commands, and show that a device is awake. */
  observeReadings(readings: readonly StoredReading[]): void
  /** A valve's opening from the live stream, after it was stored. */
  observeOpening(reading: MeasuredAt & { readonly openingPct: number }): void
  /** A station's head, kPa. */
  observeHead(reading: MeasuredAt & { readonly headKpa: number }): void
  /** Calls `changed` with each command that changes, on whichever replica. Returns how to stop. */
  onChanged(changed: (command: PlacedCommand) => void): () => void
  /** Calls `changed` with how far a batch is, at most twice a second, on every replica. Returns how to stop. */
  onBatch(changed: (news: BatchNews) => void): () => void
  /** Calls `changed` with each hold that begins or ends, on every replica. Returns how to stop. */
  onHold(changed: (news: HoldNews) => void): () => void
  /** Commands in each state that is not final. */
  countOpen(): Promise<ReadonlyMap<CommandState, number>>
  close(): Promise<void>
}

export async function createCommands(needs: CommandsNeeds): Promise<Commands> {
  const { db, signals, clock, log, directory } = needs
  const store = createCommandStore(db, needs.findOpening)
  const confirmations = createConfirmations(store, clock, log)
  const dispatcher = startDispatcher({
    store,
    directory,
    publish: needs.publish,
    isConnected: needs.isConnected,
    clock,
    log,
    worker: randomUUID(),
    lanes: {
      take: (claim) => takeFromLanes(db, claim),
      release: (worker, ids) => releaseLanes(db, worker, ids),
      postpone: (ids, nextAt) => postpone(db, ids, nextAt),
      listAsleep: () => listAsleep(db),
      finishBatches: () => finishBatches(db),
      expireHolds: (now) => expireHolds(db, now),
    },
  })
  const replies = createReplies({
    store,
    directory,
    clock,
    onDone: confirmations.expect,
    onHeard: dispatcher.noteUplink,
  })
  await confirmations.reload()
  const stopWithdrawing = needs.changes.onRetiring(async (transaction, retiring) => {
    await withdrawCommands(transaction, retiring)
    await withdrawHolds(transaction, retiring)
    await handOverPumpLimits(transaction, retiring)
  })

  async function note(changed: readonly PlacedCommand[] | undefined): Promise<void> {
    if (!changed) return confirmations.reload()
    for (const { command } of changed) if (isFinal(command.state)) confirmations.forget(command)
    const isUnexpected = changed.some(
      ({ command }) => command.state === 'done' && !confirmations.isExpected(command),
    )
    if (isUnexpected) await confirmations.reload()
  }

  const news = createNews({
    signals,
    clock,
    log,
    wake: dispatcher.wake,
    note,
    findCommands: (ids) => store.find(scopeOfEverything, ids),
    findBatches: (ids) => findBatchNews(db, ids),
    findHolds: (ids) => findHoldNews(db, ids),
  })

  const observeOpening: Commands['observeOpening'] = ({ openingPct, ...at }) =>
    confirmations.observe({ ...at, kind: 'valve.set', value: openingPct })
  const observeHead: Commands['observeHead'] = ({ headKpa, ...at }) =>
    confirmations.observe({ ...at, kind: 'pump.set', value: headKpa })

  const batchStore = createBatchStore(db)
  const reader = createBatchReader(batchStore, needs.network)
  const pumps = createPumpService({ ...needs, store, batches: reader, wake: dispatcher.wake })
  const service = createCommandsService({ ...needs, pumps, store, batches: reader, wake: dispatcher.wake })

  return {
    service,
    pumps,
    batches: createBatchService({
      ...reader,
      store: batchStore,
      commands: service,
      pumps,
      clock,
      wake: dispatcher.wake,
      listSwitchedOff: needs.listSwitchedOff,
    }),
    holds: createHoldService({ db, clock, devices: needs.devices, network: needs.network }),
    takeReply: replies.takeReply,
    takeDelivery: replies.takeDelivery,
    noteUplink: dispatcher.noteUplink,
    observeReadings(readings) {
      for (const reading of readings) {
        const { device, ts } = reading
        if (device.concentratorId === undefined) dispatcher.noteUplink(device.id)
        const { openingPct, headKpa } = findConfirmingValues(reading)
        if (openingPct !== undefined) observeOpening({ deviceId: device.id, ts, openingPct })
        if (headKpa !== undefined) observeHead({ deviceId: device.id, ts, headKpa })
      }
    },
    observeOpening,
    observeHead,
    onChanged: news.onChanged,
    onBatch: news.onBatch,
    onHold: news.onHold,
    countOpen: store.countOpen,
    async close() {
      news.stopListening()
      stopWithdrawing()
      await dispatcher.close()
      await news.settle()
    },
  }
}
