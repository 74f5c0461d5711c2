import { randomUUID } from 'node:crypto'
import type { Command } from '@isotherm/contract/command'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { SessionService } from '../session/index.ts'
import { type LiveConnection, openConnection } from './connection.ts'
import type { LiveNeeds } from './needs.ts'
import { addLiveRoute } from './route.ts'

export interface LiveOptions extends Omit<LiveNeeds, 'epoch' | 'session'> {
  readonly session: Pick<SessionService, 'authenticate' | 'findSessionEnd' | 'onEnded'>
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
  /** Lets go of every client; their sockets end with the app. */
  close(): void
}

export function createLive(options: LiveOptions): Live {
  const connections = new Set<LiveConnection>()
  const needs: LiveNeeds = { ...options, epoch: randomUUID() }
  new Gauge({
    name: 'isotherm_live_clients',
    help: 'Consoles connected to the live push',
    registers: [options.registry],
    collect() {
      this.set(connections.size)
    },
  })
  const stopListening = options.session.onEnded((sessionId) => {
    for (const connection of connections) connection.endSession(sessionId)
  })

  return {
    mount: (app) =>
      addLiveRoute(app, {
        clock: options.clock,
        countOpen: () => connections.size,
        open(socket) {
          const connection = openConnection(socket, needs)
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
    close() {
      stopListening()
      for (const connection of connections) connection.close()
      connections.clear()
    },
  }
}
