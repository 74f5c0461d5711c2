import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getWeather } from '@isotherm/contract/endpoints/monitoring/weather'
import type { Forecast } from '@isotherm/contract/network/weather'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { median } from '@isotherm/kernel/statistics'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { ROOT_PATH, type Scope, toProjectIds } from '../../platform/scope/scope.ts'
import type { NetworkService } from '../network/index.ts'
import type { ListedValue, Telemetry } from '../telemetry/index.ts'
import { type CompanyPlace, readCompanyPlaces } from './companies.pg.ts'
import type { Forecasts } from './forecasts.ts'
import { readOutdoorSteps } from './outdoor-hours.ch.ts'
import type { ForecastHour } from './parse-forecast.ts'

export interface WeatherNeeds {
  readonly db: Database
  readonly queryClickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly telemetry: Pick<Telemetry, 'listValues' | 'timeFactor'>
  readonly forecasts: Forecasts
  /** Absent: there is no source. */
  readonly forecastUrl: string | undefined
}

/** Weather of the companies of a scope. */
export interface WeatherService {
  /** Throws node.not-found. */
  getWeather(scope: Scope, input: InputOf<typeof getWeather>): Promise<OutputOf<typeof getWeather>>
  /**
   * The newest known hours of the forecast source for a path, past ones too if it gives them; empty without a source. Does not wait for
   * the source: undefined while the first forecast is read.
   */
  readHours(path: string): Promise<readonly ForecastHour[] | undefined>
}

const MEASURED_HOURS = 24
const FORECAST_HOURS = 72
/** Sensors of one town show nearly the same; more would only cost time. */
const MAX_SENSORS = 20
const PLACES = /\{(latitude|longitude|tenant)\}/g

/**
 * Fills in the place and tenant in a source's URL, with two decimals of a degree (about 1 km). Undefined if the URL
 * needs a place and none is known.
 */
export function fillUrl(url: string, { tenant, place }: CompanyPlace): string | undefined {
  if (!place && /\{(latitude|longitude)\}/.test(url)) return undefined
  const values: Readonly<Record<string, string>> = {
    tenant: encodeURIComponent(tenant),
    latitude: place?.latitudeDeg.toFixed(2) ?? '',
    longitude: place?.longitudeDeg.toFixed(2) ?? '',
  }
  return url.replace(PLACES, (_, name: string) => values[name] ?? '')
}

export function createWeatherService(needs: WeatherNeeds): WeatherService {
  const { db, queryClickhouse, clock, network, telemetry, forecasts, forecastUrl } = needs

  /** In the demo, an hour of the plant passes faster. */
  const toHourMs = (): number => HOUR_MS / (telemetry.timeFactor() ?? 1)

  /** The address of the forecast for the company of paths, or why there is none. */
  async function findAddress(
    paths: readonly string[],
  ): Promise<{ readonly url: string } | 'no-source' | 'several-companies' | 'no-place'> {
    if (forecastUrl === undefined) return 'no-source'
    const [company, other] = await readCompanyPlaces(db, paths)
    if (!company || other) return 'several-companies'
    const url = fillUrl(forecastUrl, company)
    return url === undefined ? 'no-place' : { url }
  }

  async function findForecast(paths: readonly string[], now: number, hourMs: number): Promise<Forecast> {
    const address = await findAddress(paths)
    if (typeof address === 'string') return { state: address }
    const found = await forecasts.find(address.url)
    if (found === undefined) return { state: 'failed' }
    const values = found.values.filter(({ at }) => at > now - hourMs && at <= now + FORECAST_HOURS * hourMs)
    // A forecast whose hours are all in the past is left out.
    if (values.length === 0) return { state: 'failed' }
    return {
      state: 'known',
      readAt: found.readAt,
      values: values.map(({ at, outdoorC }) => ({ at, outdoorC })),
    }
  }

  /** Stations and concentrators with a newest outdoor temperature that counts. */
  async function listSensors(paths: readonly string[]): Promise<readonly ListedValue[]> {
    const stations = await telemetry.listValues(paths, 'station', 'temp.outdoor')
    const concentrators = await telemetry.listValues(paths, 'concentrator', 'temp.outdoor')
    return [...stations, ...concentrators].filter(
      ({ value, condition }) => !Number.isNaN(value) && condition === 'good',
    )
  }

  return {
    async readHours(path) {
      const address = await findAddress([path])
      if (typeof address === 'string') return []
      const found = forecasts.findNow(address.url)
      return found === 'reading' ? undefined : (found?.values ?? [])
    },

    async getWeather(scope, { nodes }) {
      const paths = await network.resolveNodes(scope, nodes)
      const whole = paths.includes(ROOT_PATH) ? [ROOT_PATH] : toProjectIds(paths).map((id) => `/${id}/`)
      const now = clock.now()
      const hourMs = toHourMs()
      const sensors = await listSensors(whole)
      const ids = sensors.slice(0, MAX_SENSORS).map(({ device }) => device.id)
      const range = { from: now - MEASURED_HOURS * hourMs, to: now, stepMs: Math.round(hourMs) }
      const [measured, forecast] = await Promise.all([
        readOutdoorSteps(queryClickhouse, ids, range),
        findForecast(paths, now, hourMs),
      ])
      const outdoorC = median(sensors.map(({ value }) => value)) ?? null
      return { outdoorC, sensors: sensors.length, measured: [...measured], forecast }
    },
  }
}
