import { randomUUID } from 'node:crypto'
import type { CommandState } from '@isotherm/contract/command'
import type { DeviceState } from '@isotherm/contract/devices'
import type { GatewayName } from '@isotherm/contract/mqtt'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { RequestProperties } from '../../platform/mqtt/broker-port.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { DeviceDirectory, DeviceGroupsService, Devices, DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { addCommandMetrics } from './command-metrics.ts'
import { createCommandUpdates } from './command-updates.ts'
import { createConfirmations, type MeasuredAt } from './dispatch/confirmations.ts'
import { findConfirmingValues, type StoredReading } from './dispatch/confirming-readings.ts'
import { startDispatcher } from './dispatch/dispatcher.ts'
import { createReplies, type ReplyingGateway, type ReplyReject } from './dispatch/replies.ts'
import {
  createBatchHandlers,
  createCommandsHandlers,
  createHoldHandlers,
  createPumpHandlers,
  createReadHandlers,
  createScanHandlers,
  createSupplyHandlers,
} from './handlers.ts'
import { createHoldService, type HoldService } from './holds/hold-service.ts'
import { findHoldUpdates, type HoldUpdate, withdrawHolds } from './holds/holds.pg.ts'
import { handOverLimits } from './limits/setpoint-limits.pg.ts'
import { commandsMigrations } from './migrations.pg.ts'
import type { PlacedCommand } from './model/records.ts'
import { isFinal } from './model/state-machine.ts'
import { type BatchService, createBatchReader, createBatchService } from './orders/batch-service.ts'
import { type BatchUpdate, findBatchUpdates } from './orders/batches.pg.ts'
import { type CommandsService, createCommandsService } from './orders/commands-service.ts'
import type { PlanNeeds } from './orders/plan-batch.ts'
import { createPumpService, type PumpService } from './orders/pump-service.ts'
import { createSupplyService, type SupplyService } from './orders/supply-service.ts'
import { createReadRequests, type ReadRequests } from './reads/read-requests.ts'
import { createCommandsReferences } from './references.pg.ts'
import { createLineScans, type LineScans } from './scans/line-scans.ts'
import { createEventWriter } from './store/event-writer.pg.ts'
import { countOpenCommands, findTarget, listAwaiting, recordShown } from './store/open-commands.pg.ts'
import { findCommands } from './store/query.pg.ts'
import { withdrawCommands } from './store/withdraw-commands.pg.ts'

export type { HoldService } from './holds/hold-service.ts'
export type { ExtraWrites } from './model/records.ts'
export type { BatchService } from './orders/batch-service.ts'
export type { BatchUpdate } from './orders/batches.pg.ts'
export type { CommandsService } from './orders/commands-service.ts'
export type { PumpService } from './orders/pump-service.ts'
export type { SupplyService } from './orders/supply-service.ts'

export interface CommandsNeeds {
  readonly db: Database
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly devices: DevicesService
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  readonly listRadioDevices?: PlanNeeds['listRadioDevices']
  readonly changes: Pick<Devices['changes'], 'onRetiring'>
  readonly getConfigurable: Devices['getConfigurable']
  readonly directory: DeviceDirectory
  readonly network: NetworkService
  /** Newest measured opening of a valve, %. */
  readonly findOpening: (deviceId: number) => number | undefined
  readonly listLongestOpenings?: PlanNeeds['listLongestOpenings']
  /** Newest metrics of a device, by name. Without them no station accepts a head or an offset. */
  readonly findMetrics?: (deviceId: number) => DeviceState['metrics'] | undefined
  /** Publishes to a device at QoS 1. No other code publishes to command topics. */
  readonly publish: (topic: string, payload: string, request: RequestProperties) => Promise<void>
  /** Whether a gateway is connected; true if the broker does not report it. */
  readonly isConnected: (gateway: GatewayName) => boolean
}

/** Interface of the module for the composition root. */
export interface Commands {
  readonly service: CommandsService
  readonly batches: BatchService
  readonly holds: HoldService
  readonly pumps: PumpService
  readonly supplies: SupplyService
  readonly reads: ReadRequests
  readonly scans: LineScans
  /** Accepts a message on up/reply. Resolves when it is stored, or with the reason if it is rejected. */
  acceptReply(from: ReplyingGateway, payload: Uint8Array): Promise<ReplyReject | undefined>
  /** A gateway acknowledged a message on down/cmd. */
  acceptDelivery(payload: Uint8Array): Promise<void>
  /** A directly connected device has reported: if it sleeps between its reports, it listens now. */
  recordUplink(deviceId: number): void
  /** Live readings that this server stored: they can confirm commands, and show that a device is awake. */
  observeReadings(readings: readonly StoredReading[]): void
  /** A valve's opening from the live stream, after it was stored. */
  observeOpening(reading: MeasuredAt & { readonly openingPct: number }): void
  /** A station's head, kPa. */
  observeHead(reading: MeasuredAt & { readonly headKpa: number }): void
  /** A station's reported offset of its heating curve, K. */
  observeOffset(reading: MeasuredAt & { readonly offsetK: number }): void
  /** Calls `changed` with each changed command, on any replica. Returns a function that stops it. */
  onChanged(changed: (command: PlacedCommand) => void): () => void
  /** Calls `changed` with the progress of a batch, at most twice a second, on every replica. Returns a function that stops it. */
  onBatch(changed: (update: BatchUpdate) => void): () => void
  /** Calls `changed` with each hold that starts or ends, on every replica. Returns a function that stops it. */
  onHold(changed: (update: HoldUpdate) => void): () => void
  /** Number of commands in each state that is not final. */
  countOpen(): Promise<ReadonlyMap<CommandState, number>>
  close(): Promise<void>
}

export async function createCommands(needs: CommandsNeeds): Promise<Commands> {
  const { db, signals, clock, log, directory } = needs
  const apply = createEventWriter(db, clock)
  const confirmations = createConfirmations({
    apply,
    recordShown: (id, shown) => recordShown(db, id, shown),
    listAwaiting: () => listAwaiting(db),
    clock,
    log,
  })
  const dispatcher = startDispatcher({
    db,
    apply,
    directory,
    publish: needs.publish,
    isConnected: needs.isConnected,
    clock,
    log,
    worker: randomUUID(),
  })
  const reads = createReadRequests(needs)
  const scans = createLineScans(needs)
  const replies = createReplies({
    apply,
    reads,
    scans,
    findTarget: (id) => findTarget(db, id),
    directory,
    clock,
    onDone: confirmations.expect,
    onUplink: dispatcher.recordUplink,
  })
  await confirmations.reload()
  const stopWithdrawing = needs.changes.onRetiring(async (transaction, retiring) => {
    await withdrawCommands(transaction, retiring)
    await withdrawHolds(transaction, retiring)
    await handOverLimits(transaction, 'pump_limit', retiring)
    await handOverLimits(transaction, 'supply_limit', retiring)
  })

  async function updateConfirmations(changed: readonly PlacedCommand[] | undefined): Promise<void> {
    if (!changed) return confirmations.reload()
    for (const { command } of changed) if (isFinal(command.state)) confirmations.forget(command)
    const isUnexpected = changed.some(
      ({ command }) => command.state === 'done' && !confirmations.isExpected(command),
    )
    if (isUnexpected) await confirmations.reload()
  }

  const updates = createCommandUpdates({
    signals,
    clock,
    log,
    wake: dispatcher.wake,
    onCommands: updateConfirmations,
    findCommands: (ids) => findCommands(db, scopeOfEverything, ids),
    findBatches: (ids) => findBatchUpdates(db, ids),
    findHolds: (ids) => findHoldUpdates(db, ids),
  })

  const observeOpening: Commands['observeOpening'] = ({ openingPct, ...at }) =>
    confirmations.observe({ ...at, kind: 'valve.set', value: openingPct })
  const observeHead: Commands['observeHead'] = ({ headKpa, ...at }) =>
    confirmations.observe({ ...at, kind: 'pump.set', value: headKpa })
  const observeOffset: Commands['observeOffset'] = ({ offsetK, ...at }) =>
    confirmations.observe({ ...at, kind: 'supply.set', value: offsetK })

  const reader = createBatchReader(db, needs.network)
  const pumps = createPumpService({ ...needs, batches: reader, wake: dispatcher.wake })
  const supplies = createSupplyService({ ...needs, batches: reader, wake: dispatcher.wake })
  const service = createCommandsService({ ...needs, pumps, batches: reader, wake: dispatcher.wake })

  return {
    service,
    pumps,
    supplies,
    reads,
    scans,
    batches: createBatchService({
      ...reader,
      db,
      commands: service,
      pumps,
      supplies,
      clock,
      wake: dispatcher.wake,
      listSwitchedOff: needs.listSwitchedOff,
    }),
    holds: createHoldService({ db, clock, devices: needs.devices, network: needs.network }),
    acceptReply: replies.acceptReply,
    acceptDelivery: replies.acceptDelivery,
    recordUplink: dispatcher.recordUplink,
    observeReadings(readings) {
      for (const reading of readings) {
        const { device, ts } = reading
        if (device.concentratorId === undefined) dispatcher.recordUplink(device.id)
        const { openingPct, headKpa, offsetK } = findConfirmingValues(reading)
        if (openingPct !== undefined) observeOpening({ deviceId: device.id, ts, openingPct })
        if (headKpa !== undefined) observeHead({ deviceId: device.id, ts, headKpa })
        if (offsetK !== undefined) observeOffset({ deviceId: device.id, ts, offsetK })
      }
    },
    observeOpening,
    observeHead,
    observeOffset,
    onChanged: updates.onChanged,
    onBatch: updates.onBatch,
    onHold: updates.onHold,
    countOpen: () => countOpenCommands(db),
    async close() {
      updates.stopListening()
      stopWithdrawing()
      await dispatcher.close()
      await updates.settle()
    },
  }
}

export interface CommandsDependencies
  extends Pick<ServerResources, 'db' | 'signals' | 'clock' | 'log' | 'registry' | 'broker'> {
  readonly devices: Devices
  readonly network: NetworkService
  readonly telemetry: { readonly states: { find(deviceId: number): DeviceState | undefined } }
  readonly listLongestOpenings: PlanNeeds['listLongestOpenings']
}

/** Commands to devices, batches of commands, holds, and limits of stations. */
export const commandsModule = {
  migrations: commandsMigrations,
  async create(dependencies: CommandsDependencies) {
    const { devices, network, telemetry, broker, registry, ...server } = dependencies
    const findMetrics = (deviceId: number) => telemetry.states.find(deviceId)?.metrics
    const commands = await createCommands({
      ...server,
      network,
      devices: devices.service,
      directory: devices.directory,
      groups: devices.groups,
      changes: devices.changes,
      getConfigurable: devices.getConfigurable,
      listSwitchedOff: devices.listSwitchedOff,
      listRadioDevices: devices.listRadioDevices,
      findMetrics,
      findOpening: (deviceId) => findMetrics(deviceId)?.['valve.opening'],
      publish: (topic, payload, request) => broker.publish(topic, payload, 1, request),
      isConnected: (gateway) => broker.isConnected?.(gateway) ?? true,
    })
    addCommandMetrics(commands, registry)
    return {
      ...commands,
      handlers: {
        ...createCommandsHandlers(commands.service),
        ...createBatchHandlers(commands.batches),
        ...createHoldHandlers(commands.holds),
        ...createPumpHandlers(commands.pumps),
        ...createSupplyHandlers(commands.supplies),
        ...createReadHandlers(commands.reads),
        ...createScanHandlers(commands.scans),
      },
      references: createCommandsReferences(server.db),
    }
  },
} satisfies ServerModule
