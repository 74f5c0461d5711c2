import { randomUUID } from 'node:crypto'
import type { Alarm } from '@isotherm/contract/alarms'
import type { Command, HoldEnd, ValveHold } from '@isotherm/contract/command'
import { watchingAlarms } from '@isotherm/contract/endpoints/alarms'
import { getCampaigns } from '@isotherm/contract/endpoints/balancing'
import { getCtlBatches } from '@isotherm/contract/endpoints/command-batches'
import { getMapTile } from '@isotherm/contract/endpoints/map'
import { getStrategies } from '@isotherm/contract/endpoints/strategies'
import { getHolds } from '@isotherm/contract/endpoints/valve-holds'
import type { ExportProgress } from '@isotherm/contract/export-progress'
import type { LiveEvent } from '@isotherm/contract/live'
import type { TransferProgress } from '@isotherm/contract/transfer'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Signals } from '../../platform/signals/signals.ts'
import type { CampaignNews, StrategyNews } from '../balancing/index.ts'
import type { BatchNews } from '../commands/index.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import { structureSignal } from '../network/index.ts'
import type { SessionService } from '../session/index.ts'
import { createBatchParts } from './connections/batch-parts.ts'
import { type LiveConnection, openConnection } from './connections/connection.ts'
import { createPlacedNews } from './connections/moved-devices.ts'
import { addLiveRoute } from './connections/route.ts'
import { watchSessions } from './connections/session-watch.ts'
import type { LiveNeeds } from './subscriptions/needs.ts'
import { type Lookups, shareLookups } from './subscriptions/shared-lookups.ts'
import { createTurns } from './subscriptions/time-slices.ts'

export interface LiveOptions
  extends Omit<LiveNeeds, 'epoch' | 'session' | 'network' | 'lookups' | 'takeTurn' | 'leftVersion'> {
  readonly network: LiveNeeds['network'] & Lookups
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById' | 'onPlaced'>
  readonly session: Pick<SessionService, 'authenticate' | 'findAccess' | 'onEnded'>
  readonly signals: Pick<Signals, 'listen'>
  readonly registry: Registry
}

/** The live push to consoles. */
export interface Live {
  /** Mounts /live; before the app listens. */
  mount(app: FastifyInstance): Promise<void>
  /** Takes devices whose newest values changed. */
  noteChanged(deviceIds: Iterable<number>): void
  /** Takes a command that changed; `path` is where its device is. */
  noteCommand(command: Command, path: string): void
  /** Takes a batch that got on: who sees all of its devices is told all of it, who sees some of them about these. */
  noteBatch(batch: BatchNews): void
  /** Takes a campaign that got on or changed: who is granted its node is told. */
  noteCampaign(news: CampaignNews): void
  /** Takes a strategy that got on or changed: who is granted its node is told. */
  noteStrategy(news: StrategyNews): void
  /** Takes an alarm that changed and where it stands; undefined when many did. */
  noteAlarm(news: { readonly alarm: Alarm; readonly path: string } | undefined): void
  /** Takes a silence that began or ended, by the path of its node. */
  noteSilence(path: string): void
  /** Takes that rules of alarms changed. */
  noteRules(): void
  /** Takes that places on the map changed. */
  notePlaces(): void
  /** Takes a hold that began or ended. */
  noteHold(
    news: {
      readonly hold: ValveHold
      readonly ended: HoldEnd | undefined
      readonly by: string | undefined
    },
    about: { readonly accountId: number | undefined; readonly path: string },
  ): void
  /** Takes an import of an account that got on. */
  noteTransfer(accountId: number, progress: TransferProgress): void
  /** Takes an export of an account that got on. */
  noteExport(accountId: number, progress: ExportProgress): void
  /** Lets go of every client; their sockets end with the app. */
  close(): void
}

/** What whoever is told may do with it depends on who that is. */
function toAlarmEvent(news: { readonly alarm: Alarm } | undefined): LiveEvent {
  if (!news) return { type: 'alarm' }
  const { abilities: _, ...alarm } = news.alarm
  return { type: 'alarm', alarm }
}

export function createLive(options: LiveOptions): Live {
  const connections = new Set<LiveConnection>()
  const takeTurn = createTurns()
  let leftVersion = 0
  const needs: LiveNeeds = {
    ...options,
    epoch: randomUUID(),
    lookups: shareLookups(options.network),
    takeTurn,
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
  const tellPlaced = createPlacedNews({ ...options, connections, takeTurn })
  const parts = createBatchParts({ ...options, connections, takeTurn })
  const stopListening = [
    options.session.onEnded((sessionId) => {
      if (sessionId === undefined) watch.check()
      else for (const connection of connections) connection.endSession(sessionId)
    }),
    // A page that watches a subtree has not seen the values of what came into it, and holds what left it.
    options.directory.onPlaced((placed, left) => {
      if (left.length > 0) {
        leftVersion = options.states.version()
        // A grant of a single device has moved with it.
        watch.check()
      }
      tellPlaced(placed, left)
    }),
    // First what callers may see, for a grant may have moved with its node.
    structureSignal.listen(options.signals, (change) => {
      watch.check().then(() => {
        for (const connection of connections) connection.noteStructure(change)
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
    noteChanged(deviceIds) {
      if (connections.size === 0) return
      for (const id of deviceIds) {
        const device = options.directory.findById(id)
        if (device) for (const connection of connections) connection.note(device)
      }
    },
    noteCommand(command, path) {
      for (const connection of connections) connection.tell(path, { type: 'command', command })
    },
    noteBatch(batch) {
      const event = { type: 'batch', ...batch.progress } as const
      for (const connection of connections) connection.tellWho(getCtlBatches.access.anyOf, batch.path, event)
      if (connections.size > 0) parts.note(batch)
    },
    noteCampaign({ progress, path }) {
      const event = { type: 'campaign', ...progress } as const
      for (const connection of connections) connection.tellWho(getCampaigns.access.anyOf, path, event)
    },
    noteStrategy({ progress, path }) {
      const event = { type: 'strategy', ...progress } as const
      for (const connection of connections) connection.tellWho(getStrategies.access.anyOf, path, event)
    },
    noteAlarm(news) {
      for (const connection of connections)
        connection.tellWho(watchingAlarms.anyOf, news?.path, toAlarmEvent(news))
    },
    noteSilence(path) {
      const { anyOf } = watchingAlarms
      for (const connection of connections)
        if (connection.sightOf({ path, anyOf }) !== 'none')
          connection.tellWho(anyOf, undefined, { type: 'silences' })
    },
    noteRules() {
      for (const connection of connections)
        connection.tellWho(watchingAlarms.anyOf, undefined, { type: 'alarm-rules' })
    },
    notePlaces() {
      for (const connection of connections)
        connection.tellWho(getMapTile.access.anyOf, undefined, { type: 'places' })
    },
    noteHold({ hold, ended, by }, { accountId, path }) {
      const event = { type: 'hold', hold, ...(ended ? { ended } : {}), ...(by ? { by } : {}) } as const
      for (const connection of connections) {
        const isOwner = accountId !== undefined && connection.accountId() === accountId
        if (isOwner && ended !== undefined)
          connection.inform(accountId, event, { path, anyOf: getHolds.access.anyOf })
        else connection.tell(path, event)
      }
    },
    noteTransfer(accountId, progress) {
      for (const connection of connections) connection.inform(accountId, { type: 'transfer', ...progress })
    },
    noteExport(accountId, progress) {
      for (const connection of connections) connection.inform(accountId, { type: 'export', ...progress })
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
