import { SECOND_MS } from '@isotherm/kernel/durations'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import { type PollLoop, startPollLoop } from '../../platform/tasks/poll-loop.ts'
import type { Commands } from '../commands/index.ts'
import type { Devices } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { SessionService } from '../session/index.ts'
import { countVisible } from './exercises.pg.ts'
import { createExercisesHandlers } from './handlers.ts'
import { exercisesMigrations } from './migrations.pg.ts'
import { listOfIrrigation } from './progress.pg.ts'
import { runExercises } from './run-exercises.ts'
import { createSeason } from './season.ts'
import { createExercisesService, type ExercisesNeeds } from './service.ts'

export interface ExercisesDependencies extends Pick<ServerResources, 'db' | 'clock' | 'log' | 'config'> {
  readonly devices: Pick<Devices, 'service'>
  readonly network: NetworkService
  readonly commands: Pick<Commands, 'service' | 'batches'>
  readonly session: Pick<SessionService, 'findAccountAccess'>
  readonly findOpening: ExercisesNeeds['findOpening']
  /** Longest time that valves of irrigation groups may be open, s, by device id. */
  readonly listLongestOpenings: (ids: readonly number[]) => Promise<ReadonlyMap<number, number>>
}

/** Pause between two checks, ms: at most this long after the end of a step the next one is sent. */
const POLL_MS = 5 * SECOND_MS

/** Exercises of valves outside the heating season. */
export const exercisesModule = {
  migrations: exercisesMigrations,
  create(dependencies: ExercisesDependencies) {
    const { db, clock, log, config, devices, network, commands, session } = dependencies
    const season = createSeason(config.history.heatingSeason, config.history.timeZone)
    let loop: PollLoop | undefined
    let isClosed = false
    const service = createExercisesService({
      db,
      clock,
      devices: devices.service,
      network,
      commands: commands.service,
      batches: commands.batches,
      findOpening: dependencies.findOpening,
      async listIrrigating(ids) {
        const grouped = await dependencies.listLongestOpenings(ids)
        return new Set([...(await listOfIrrigation(db, ids)), ...grouped.keys()])
      },
      season,
      wake: () => loop?.wake(),
    })
    const needs = { db, clock, commands: commands.service, findAccess: session.findAccountAccess, season }
    return {
      handlers: createExercisesHandlers(service),
      references: {
        // Reading an exercise requires one of its valves in scope; changing it requires all of them.
        async 'valve-exercise'({ scope }, values, effect) {
          const ids = values.filter((value) => typeof value === 'number')
          return (await countVisible(db, scope, ids, effect === 'changes')) === values.length
        },
      },
      start() {
        loop ??= startPollLoop({
          clock,
          pauseMs: POLL_MS,
          work: () => runExercises(needs, () => isClosed),
          onError: (error) => log.error({ err: error }, 'cannot continue the valve exercises; retrying'),
        })
      },
      async close() {
        isClosed = true
        await loop?.close()
      },
    }
  },
} satisfies ServerModule
