import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { CommandsService } from '../commands/index.ts'
import type { Devices } from '../devices/index.ts'
import type { SessionService } from '../session/index.ts'
import { createSchedulesHandlers } from './handlers.ts'
import { groupsMigrations } from './migrations.pg.ts'
import { type ScheduleRunner, startScheduleRunner } from './run-schedules.ts'
import { createSchedulesService } from './service.ts'

export interface GroupsDependencies extends Pick<ServerResources, 'db' | 'clock' | 'log'> {
  readonly devices: Pick<Devices, 'groups'>
  readonly commands: { readonly service: Pick<CommandsService, 'send' | 'preview'> }
  readonly session: Pick<SessionService, 'findAccountAccess'>
}

export { hasEnabledSchedule } from './schedules.pg.ts'

/** Weekly schedules of device groups. */
export const groupsModule = {
  migrations: groupsMigrations,
  create({ db, clock, log, devices, commands, session }: GroupsDependencies) {
    const { groups } = devices
    let runner: ScheduleRunner | undefined
    const service = createSchedulesService({ db, clock, groups, wake: () => runner?.wake() })
    return {
      handlers: createSchedulesHandlers(service),
      start() {
        runner ??= startScheduleRunner({
          db,
          clock,
          log,
          groups,
          commands: commands.service,
          findAccess: session.findAccountAccess,
        })
      },
      close: () => runner?.close(),
    }
  },
} satisfies ServerModule
