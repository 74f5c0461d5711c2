import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type ForecastHour, parseForecast } from './parse-forecast.ts'
import { readSource } from './read-source.ts'

/** Forecasts are computed every one to six hours. */
const RENEW_MS = 30 * MINUTE_MS
/** Pause after a failure: a source with a fault must not be called for every page. */
const RETRY_MS = 5 * MINUTE_MS
/** Maximum number of cached sources, one per company. The least recently used one is dropped. */
const MAX_SOURCES = 1000

interface Source {
  /** When it is due again, by `clock.elapsed`. */
  dueAt: number
  known: { readonly readAt: number; readonly values: readonly ForecastHour[] } | undefined
  reading: Promise<void> | undefined
}

/** A forecast as it was read from its source. */
export type ReadForecast = NonNullable<Source['known']>

/** Forecasts by the URL of their source, read when a caller requests them. */
export interface Forecasts {
  /** The newest forecast; if its source fails, the one before. Undefined if there was never one. */
  find(url: string): Promise<ReadForecast | undefined>
  /** As `find`, without waiting for the source: 'reading' while the first forecast is read. */
  findNow(url: string): ReadForecast | 'reading' | undefined
}

export function createForecasts(
  clock: Pick<Clock, 'now' | 'elapsed'>,
  log: Pick<Log, 'warn'>,
  read: (url: string) => Promise<unknown> = readSource,
): Forecasts {
  const sources = new Map<string, Source>()

  /** Reads a source once for all that wait. Never rejects. */
  async function renew(source: Source, url: string): Promise<void> {
    try {
      const values = parseForecast(await read(url))
      source.known = { readAt: clock.now(), values }
      source.dueAt = clock.elapsed() + RENEW_MS
    } catch (error) {
      source.dueAt = clock.elapsed() + RETRY_MS
      // The URL may have a key.
      log.warn({ host: new URL(url).host, reason: String(error) }, 'there is no new weather forecast')
    } finally {
      source.reading = undefined
    }
  }

  function use(url: string): Source {
    const source = sources.get(url) ?? { dueAt: 0, known: undefined, reading: undefined }
    sources.delete(url)
    sources.set(url, source)
    const [oldest] = sources.keys()
    if (sources.size > MAX_SOURCES && oldest !== undefined) sources.delete(oldest)
    return source
  }

  /** The source, which is being read if it is due. */
  function useNew(url: string): Source {
    const source = use(url)
    if (clock.elapsed() >= source.dueAt) source.reading ??= renew(source, url)
    return source
  }

  return {
    async find(url) {
      const source = useNew(url)
      // A known forecast is answered at once; the next call has the new one.
      if (!source.known) await source.reading
      return source.known
    },

    findNow(url) {
      const { known, reading } = useNew(url)
      return known ?? (reading && 'reading')
    },
  }
}
