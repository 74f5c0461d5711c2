import { randomUUID } from 'node:crypto'
import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { Command, HoldEnd, ValveHold } from '@isotherm/contract/command'
import { getCampaigns } from '@isotherm/contract/endpoints/control/balancing'
import { getCtlBatches } from '@isotherm/contract/endpoints/control/command-batches'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getStrategies } from '@isotherm/contract/endpoints/control/strategies'
import { getHolds } from '@isotherm/contract/endpoints/control/valve-holds'
import { watchingAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getMapTile } from '@isotherm/contract/endpoints/network/map'
import type { ExportProgress } from '@isotherm/contract/export-progress'
import type { LiveEvent } from '@isotherm/contract/live'
import type { TransferProgress } from '@isotherm/contract/transfer'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { CampaignUpdate, StrategyUpdate } from '../balancing/index.ts'
import type { BatchUpdate } from '../commands/index.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import { structureSignal } from '../network/index.ts'
import type { SessionService } from '../session/index.ts'
import { createBatchParts } from './connections/batch-parts.ts'
import { type LiveConnection, openConnection } from './connections/connection.ts'
import { createMoveNotifier } from './connections/moved-devices.ts'
import { addLiveRoute } from './connections/route.ts'
import { watchSessions } from './connections/session-watch.ts'
import { createAccountPace } from './subscriptions/account-pace.ts'
import type { LiveNeeds } from './subscriptions/needs.ts'
import { type Lookups, shareLookups } from './subscriptions/shared-lookups.ts'
import { createTimeSlices } from './subscriptions/time-slices.ts'

export interface LiveOptions
  extends Omit<
    LiveNeeds,
    'epoch' | 'session' | 'network' | 'lookups' | 'waitForSlice' | 'waitForPace' | 'leftVersion'
  > {
  readonly network: LiveNeeds['network'] & Lookups
  readonly directory: Pick<DeviceDirectory, 'below' | 'findById' | 'onPlaced'>
  readonly session: Pick<SessionService, 'authenticate' | 'findAccess' | 'onEnded'>
  readonly signals: Pick<Signals, 'listen'>
  readonly registry: Registry
}

/** The live push to consoles. */
export interface Live {
  /** Mounts /live; before the app listens. */
  mount(app: FastifyInstance): Promise<void>
  /** Sends devices whose newest values changed. */
  pushChanged(deviceIds: Iterable<number>): void
  /** Sends a command that changed to users who watch its device and may see commands; `path` is the path of its device. */
  pushCommand(command: Command, path: string): void
  /**
   * Sends the progress of a batch: users who see all of its devices get all of it, users who see some get the progress
   * of these.
   */
  pushBatch(batch: BatchUpdate): void
  /** Sends the progress of a campaign to users who are granted its node. */
  pushCampaign(event: CampaignUpdate): void
  /** Sends the progress of a strategy to users who are granted its node. */
  pushStrategy(event: StrategyUpdate): void
  /** Sends an alarm that changed, by its path; undefined if many changed. */
  pushAlarm(event: { readonly alarm: Alarm; readonly path: string } | undefined): void
  /** Sends that a silence started or ended, by the path of its node. */
  pushSilence(path: string): void
  /** Sends that rules of alarms changed. */
  pushRules(): void
  /** Sends that places on the map changed. */
  pushPlaces(): void
  /** Sends a hold (an override with expiry and priority) that started or ended. */
  pushHold(
    event: {
      readonly hold: ValveHold
      readonly ended: HoldEnd | undefined
      readonly by: string | undefined
    },
    about: { readonly accountId: number | undefined; readonly path: string },
  ): void
  /** Sends the progress of an import to its account. */
  pushTransfer(accountId: number, progress: TransferProgress): void
  /** Sends the progress of an export to its account. */
  pushExport(accountId: number, progress: ExportProgress): void
  /** Releases all clients; their sockets are closed with the app. */
  close(): void
}

/** Abilities depend on the user, so they are not part of the event. */
function toAlarmEvent(event: { readonly alarm: Alarm } | undefined): LiveEvent {
  if (!event) return { type: 'alarm' }
  const { abilities: _, ...alarm } = event.alarm
  return { type: 'alarm', alarm }
}

export function createLive(options: LiveOptions): Live {
  const connections = new Set<LiveConnection>()
  const waitForSlice = createTimeSlices()
  let leftVersion = 0
  const needs: LiveNeeds = {
    ...options,
    epoch: randomUUID(),
    lookups: shareLookups(options.network),
    waitForSlice,
    waitForPace: createAccountPace(options.clock),
    leftVersion: () => leftVersion,
  }
  new Gauge({
    name: 'isotherm_live_clients',
    help: 'Consoles connected to the live push',
    registers: [options.registry],
    collect() {
      this.set(connections.size)
    },
  })
  const watch = watchSessions(connections, options.session, options.clock, options.log)
  const notifyMoved = createMoveNotifier({ ...options, connections, waitForSlice })
  const parts = createBatchParts({ ...options, connections, waitForSlice })
  const stopListening = [
    options.session.onEnded((sessionId) => {
      if (sessionId === undefined) watch.check()
      else for (const connection of connections) connection.endSession(sessionId)
    }),
    // A page with a subscription does not have the values of devices that moved in, and still has those that moved out.
    options.directory.onPlaced((placed, left) => {
      if (left.length > 0) {
        leftVersion = options.states.version()
        // The grant of a single device moves with the device.
        watch.check()
      }
      notifyMoved(placed, left)
    }),
    // The access of callers first, because a grant moves with its node.
    structureSignal.listen(options.signals, (change) => {
      watch.check().then(() => {
        for (const connection of connections) connection.pushStructure(change)
      })
    }),
  ]

  const countOthers = (self: LiveConnection, accountId: number): number =>
    [...connections].filter((other) => other !== self && other.accountId() === accountId).length

  return {
    mount: (app) =>
      addLiveRoute(app, {
        clock: options.clock,
        countOpen: () => connections.size,
        open(socket) {
          const connection: LiveConnection = openConnection(socket, {
            ...needs,
            checkSessions: watch.check,
            countOthers: (accountId) => countOthers(connection, accountId),
          })
          connections.add(connection)
          return connection
        },
        closed(connection) {
          connections.delete(connection)
          connection.close()
        },
      }),
    pushChanged(deviceIds) {
      if (connections.size === 0) return
      for (const id of deviceIds) {
        const device = options.directory.findById(id)
        if (device) for (const connection of connections) connection.recordChange(device)
      }
    },
    pushCommand(command, path) {
      const { anyOf } = getCtlLog.access
      for (const connection of connections)
        connection.sendToWatcher({ path, anyOf }, { type: 'command', command })
    },
    pushBatch(batch) {
      const event = { type: 'batch', ...batch.progress } as const
      for (const connection of connections) connection.sendTo(getCtlBatches.access.anyOf, batch.path, event)
      if (connections.size > 0) parts.recordChange(batch)
    },
    pushCampaign({ progress, path }) {
      const event = { type: 'campaign', ...progress } as const
      for (const connection of connections) connection.sendTo(getCampaigns.access.anyOf, path, event)
    },
    pushStrategy({ progress, path }) {
      const event = { type: 'strategy', ...progress } as const
      for (const connection of connections) connection.sendTo(getStrategies.access.anyOf, path, event)
    },
    pushAlarm(event) {
      for (const connection of connections)
        connection.sendTo(watchingAlarms.anyOf, event?.path, toAlarmEvent(event))
    },
    pushSilence(path) {
      const { anyOf } = watchingAlarms
      for (const connection of connections)
        if (connection.visibilityOf({ path, anyOf }) !== 'none')
          connection.sendTo(anyOf, undefined, { type: 'silences' })
    },
    pushRules() {
      for (const connection of connections)
        connection.sendTo(watchingAlarms.anyOf, undefined, { type: 'alarm-rules' })
    },
    pushPlaces() {
      for (const connection of connections)
        connection.sendTo(getMapTile.access.anyOf, undefined, { type: 'places' })
    },
    pushHold({ hold, ended, by }, { accountId, path }) {
      const event = { type: 'hold', hold, ...(ended ? { ended } : {}), ...(by ? { by } : {}) } as const
      const place = { path, anyOf: getHolds.access.anyOf }
      for (const connection of connections) {
        const isOwner = accountId !== undefined && connection.accountId() === accountId
        if (isOwner && ended !== undefined) connection.sendToAccount(accountId, event, place)
        else connection.sendToWatcher(place, event)
      }
    },
    pushTransfer(accountId, progress) {
      for (const connection of connections)
        connection.sendToAccount(accountId, { type: 'transfer', ...progress })
    },
    pushExport(accountId, progress) {
      for (const connection of connections)
        connection.sendToAccount(accountId, { type: 'export', ...progress })
    },
    close() {
      for (const stop of stopListening) stop()
      watch.close()
      parts.close()
      for (const connection of connections) connection.close()
      connections.clear()
    },
  }
}

export interface LiveDependencies
  extends Pick<ServerResources, 'config' | 'clock' | 'log' | 'registry' | 'signals'> {
  readonly session: LiveOptions['session']
  readonly network: LiveOptions['network']
  readonly devices: Pick<LiveOptions, 'directory'>
  readonly telemetry: Pick<LiveOptions, 'states' | 'timeFactor'>
}

/** Push of newest values and changes to consoles. */
export const liveModule = {
  create: ({ config, devices, telemetry, ...server }: LiveDependencies) =>
    createLive({
      ...server,
      mode: config.mode,
      directory: devices.directory,
      states: telemetry.states,
      timeFactor: telemetry.timeFactor,
    }),
} satisfies ServerModule
