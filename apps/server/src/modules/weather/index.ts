import type { weatherEndpoints } from '@isotherm/contract/endpoints/monitoring/weather'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { NetworkService } from '../network/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { createForecasts } from './forecasts.ts'
import { createWeatherService } from './service.ts'

export interface WeatherDependencies
  extends Pick<ServerResources, 'config' | 'db' | 'queryClickhouse' | 'clock' | 'log'> {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly telemetry: Pick<Telemetry, 'listValues' | 'timeFactor'>
}

export type { ForecastHour } from './parse-forecast.ts'

/** Outdoor temperature: measured by heat stations, and forecast by a configured source. */
export const weatherModule = {
  create({ config, db, queryClickhouse, clock, log, network, telemetry }: WeatherDependencies) {
    const service = createWeatherService({
      db,
      queryClickhouse,
      clock,
      network,
      telemetry,
      forecasts: createForecasts(clock, log),
      forecastUrl: config.forecastUrl,
    })
    const handlers: HandlersOf<keyof typeof weatherEndpoints> = {
      getWeather: (input, { caller }) => service.getWeather(caller.scope, input),
    }
    return { handlers, readHours: service.readHours }
  },
} satisfies ServerModule
