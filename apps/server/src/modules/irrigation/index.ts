import { readFile } from 'node:fs/promises'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { PollLoop } from '../../platform/tasks/poll-loop.ts'
import type { CommandsService } from '../commands/index.ts'
import { type Devices, parseRegistryFile } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { SessionService } from '../session/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { ForecastHour } from '../weather/index.ts'
import { createFieldReader, createFindMetric } from './field.ts'
import { createIrrigationHandlers } from './handlers.ts'
import { irrigationMigrations } from './migrations.pg.ts'
import { startObserver } from './observed/observer.ts'
import { createIrrigationReferences } from './references.pg.ts'
import { setUpIrrigation } from './registry/set-up-irrigation.ts'
import { startIrrigationRunner } from './run/runner.ts'
import { listWeatherStations } from './sensors/attached.pg.ts'
import type { HasReported } from './sensors/sensor-parts.ts'
import { createFindTrusted } from './sensors/trusted-readings.ts'
import { watchUnmeasured } from './sensors/unmeasured.ts'
import { watchSensors } from './sensors/watch-sensors.ts'
import { createIrrigationService } from './service.ts'
import { createSettingsService } from './settings/settings-service.ts'
import { createSettingsWriter } from './settings/settings-writer.ts'
import { type IrrigationFault, listFaults, listMeasured } from './storage/faults.pg.ts'
import { readWeatherDays } from './weather/weather.ch.ts'

export { guardSensors, listTakenAway, type Move } from './sensors/attached.pg.ts'
export { guardModels, listUnsuited, type Remodel } from './sensors/suited.pg.ts'
export { createSettingsWriter, type SettingsWriter } from './settings/settings-writer.ts'
export { listLongestOpenings } from './storage/sources.pg.ts'
export { isWatering, listWatering } from './storage/watering.pg.ts'

export interface IrrigationDependencies
  extends Pick<ServerResources, 'config' | 'db' | 'clock' | 'log' | 'queryClickhouse'> {
  readonly devices: Pick<Devices, 'service' | 'directory' | 'changes'>
  readonly network: NetworkService
  readonly session: Pick<SessionService, 'findAccountAccess'>
  readonly commands: { readonly service: CommandsService }
  readonly telemetry: Pick<Telemetry, 'states'>
  readonly weather: { readonly readHours: (path: string) => Promise<readonly ForecastHour[] | undefined> }
}

/** Irrigation: sources, groups and programs, and the runs that open and close their valves. */
export const irrigationModule = {
  migrations: irrigationMigrations,
  create({ devices, network, session, commands, telemetry, weather, ...server }: IrrigationDependencies) {
    const { config, db, clock, log, queryClickhouse } = server
    const findReading = createFindTrusted(telemetry.states.findReading)
    const findMetric = createFindMetric(findReading)
    const field = createFieldReader({
      clock,
      log,
      directory: devices.directory,
      findMetric,
      readWeather: async (deviceIds, ...given) =>
        readWeatherDays(queryClickhouse, await listWeatherStations(db, findReading, deviceIds), ...given),
      readForecast: weather.readHours,
    })
    const findPeriodS = (id: number) => devices.directory.findById(id)?.periodS
    const listUnmeasured = watchUnmeasured({ findReading, findPeriodS })
    const stopWatching = watchSensors(devices.changes)
    const hasReported: HasReported = (id, metric) => findReading(id, metric, 'any') !== undefined
    let runner: PollLoop | undefined
    let observer: PollLoop | undefined
    const needs = {
      db,
      clock,
      network,
      commands: commands.service,
      findMetric,
      findReading,
      hasReported,
      field,
      wake: () => runner?.wake(),
    }
    const irrigation = createIrrigationService(needs)
    const writer = createSettingsWriter({ clock, devices: devices.service, hasReported })
    const settings = createSettingsService({ ...needs, writer, irrigation })
    return {
      handlers: createIrrigationHandlers(irrigation, settings),
      references: createIrrigationReferences(db),
      /** Faults that raise alarms at the nodes of their sources. */
      async listFaults(): Promise<readonly IrrigationFault[]> {
        const [faults, measured] = await Promise.all([listFaults(db, clock.now()), listMeasured(db)])
        return [...faults, ...listUnmeasured(measured, clock.now())]
      },
      async start() {
        if (config.mode === 'demo' && config.registryFile !== undefined) {
          const file = parseRegistryFile(await readFile(config.registryFile, 'utf8'))
          await setUpIrrigation({ db, clock, log, findAccess: session.findAccountAccess, settings }, file)
        }
        runner ??= startIrrigationRunner({
          db,
          findPeriodS,
          clock,
          log,
          findMetric,
          findReading,
          field,
          commands: commands.service,
          findAccess: session.findAccountAccess,
        })
        observer ??= startObserver({ db, clickhouse: queryClickhouse, clock, log })
      },
      async close() {
        stopWatching()
        await Promise.all([runner?.close(), observer?.close()])
      },
    }
  },
} satisfies ServerModule
