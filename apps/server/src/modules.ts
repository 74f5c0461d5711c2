import type { Core } from './core.ts'
import { createIntake } from './intake.ts'
import { alarmsModule } from './modules/alarms/index.ts'
import { balancingModule } from './modules/balancing/index.ts'
import { commandsModule } from './modules/commands/index.ts'
import type { ConsoleModule } from './modules/console/index.ts'
import { devicesModule } from './modules/devices/index.ts'
import { exercisesModule } from './modules/exercises/index.ts'
import { groupsModule, hasEnabledSchedule } from './modules/groups/index.ts'
import { historyModule } from './modules/history/index.ts'
import {
  guardSensors,
  irrigationModule,
  listLongestOpenings,
  listWatering,
} from './modules/irrigation/index.ts'
import { liveModule } from './modules/live/index.ts'
import { mapModule } from './modules/map/index.ts'
import { metersModule } from './modules/meters/index.ts'
import { networkModule } from './modules/network/index.ts'
import { roomsModule } from './modules/rooms/index.ts'
import { sessionModule } from './modules/session/index.ts'
import { statisticsModule } from './modules/statistics/index.ts'
import { systemModule } from './modules/system/index.ts'
import { telemetryModule } from './modules/telemetry/index.ts'
import { transferModule } from './modules/transfer/index.ts'
import { usersModule } from './modules/users/index.ts'
import { weatherModule } from './modules/weather/index.ts'
import type { ClickhouseMigrations } from './platform/clickhouse/migrate.ch.ts'
import type { ModuleMigrations } from './platform/postgres/module-migrations.ts'
import type { ServerModule, ServerResources } from './platform/server-module.ts'

/** The modules after those of the core. A module comes after the modules whose tables it refers to. */
const laterModules: readonly ServerModule[] = [
  commandsModule,
  groupsModule,
  exercisesModule,
  irrigationModule,
  transferModule,
  telemetryModule,
  historyModule,
  alarmsModule,
  balancingModule,
  liveModule,
  mapModule,
  metersModule,
  roomsModule,
  statisticsModule,
  weatherModule,
]

/** Changes of PostgreSQL tables after those of the core, in order. */
export const laterMigrations: readonly ModuleMigrations[] = laterModules.flatMap(
  ({ migrations }) => migrations ?? [],
)

/** Changes of ClickHouse tables, in order. */
export const clickhouseMigrations: readonly ClickhouseMigrations[] = laterModules.flatMap(
  (module) => module.clickhouseMigrations ?? [],
)

/**
 * Creates the modules. Each gets the resources and the modules it uses. The result lists them in the order in which the
 * server starts them.
 */
export async function createModules(server: Core & ServerResources, console: ConsoleModule) {
  const telemetry = telemetryModule.create({ ...server, listWatering: () => listWatering(server.db) })
  const history = historyModule.create(server)
  const commands = await commandsModule.create({
    ...server,
    telemetry,
    listLongestOpenings: (deviceIds) => listLongestOpenings(server.db, deviceIds),
  })
  const groups = groupsModule.create({ ...server, commands })
  const exercises = exercisesModule.create({
    ...server,
    commands,
    findOpening: (deviceId) => telemetry.states.findReading(deviceId, 'valve.opening')?.value,
    listLongestOpenings: (deviceIds) => listLongestOpenings(server.db, deviceIds),
  })
  const weather = weatherModule.create({ ...server, telemetry })
  const irrigation = irrigationModule.create({ ...server, telemetry, commands, weather })
  const balancing = balancingModule.create({ ...server, telemetry, commands })
  const meters = metersModule.create({ ...server, telemetry })
  const statistics = statisticsModule.create({ ...server, meters })
  const alarms = alarmsModule.create({ ...server, telemetry, balancing, irrigation, statistics })
  const live = liveModule.create({ ...server, telemetry })
  const transfer = transferModule.create({ ...server, telemetry })
  const rooms = roomsModule.create({ ...server, telemetry })
  const map = mapModule.create({ ...server, telemetry })
  const devices = devicesModule.create({
    ...server,
    findWithReadings: telemetry.findWithReadings,
    hasSchedule: (groupId) => hasEnabledSchedule(server.db, groupId),
  })
  return {
    console,
    network: networkModule.create({ ...server, guardPlaces: guardSensors }),
    devices,
    session: sessionModule.create(server),
    users: usersModule.create(server),
    system: systemModule.create(server),
    commands,
    transfer,
    map,
    meters,
    rooms,
    statistics,
    weather,
    live,
    // The stored state is read first, then alarms continue from it, then the broker lets messages in.
    telemetry,
    alarms,
    broker: createIntake(server, {
      telemetry,
      commands,
      recordRefusal: devices.recordRefusal,
      tokens: devices.tokens,
    }),
    history,
    groups,
    exercises,
    irrigation,
    balancing,
  }
}

export type Modules = Awaited<ReturnType<typeof createModules>>
