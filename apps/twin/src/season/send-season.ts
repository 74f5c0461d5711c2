import { setTimeout } from 'node:timers/promises'
import { type ChildReading, MAX_CHILDREN, type TelemetryMessage } from '@isotherm/contract/mqtt'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Scenario } from '../scenarios/scenario.ts'
import { readSeasonFile, type SeasonFile, writeSeasonFile } from './season-file.ts'
import { readingsAt, type Season, type SeasonGateway, simulateSeason } from './simulate-season.ts'

/** Rest after a quarter of an hour of simulation, ms: the field beside it must report in time. */
const SIMULATE_REST_MS = 4
/** Rest after an hour of a gateway, ms: users of the demo come first. */
const SEND_REST_MS = 50

/** The past of a company that is not sent yet. */
export interface OpenSeason {
  readonly path: string
  readonly file: SeasonFile
}

interface OpenOptions {
  readonly path: string
  /** Days of a season that starts now; 0: none. A season that was started earlier keeps its own number of days. */
  readonly days: number
  /** Boot number of the field. */
  readonly boot: number
  readonly nowMs: number
}

/**
 * The season to send: one that was started earlier, or a new one. Its messages have the boot number before the
 * field's first.
 */
export function openSeason({ path, days, boot, nowMs }: OpenOptions): OpenSeason | undefined {
  const begun = readSeasonFile(path)
  if (begun?.isSent || (begun === undefined && days === 0)) return undefined
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const file = begun ?? { boot: Math.max(0, boot - 1), days, endMs, isSent: false }
  writeSeasonFile(path, file)
  return { path, file }
}

/** Seconds after the midnight of a time zone. */
export function toSecondOfDay(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
  })
    .formatToParts(atMs)
    .map(({ type, value }) => [type, Number(value)] as const)
  const { hour = 0, minute = 0 } = Object.fromEntries(parts)
  return hour * 3600 + minute * 60
}

export interface SendOptions {
  readonly scenario: Scenario
  readonly pairs: readonly {
    readonly gateway: { readonly serial: string; readonly ownLink: unknown }
    readonly link: { readonly sendHistory: (message: TelemetryMessage) => Promise<void> }
  }[]
  readonly now: () => number
  readonly signal: AbortSignal
  /** Waits for some ms, so that the running field is not disturbed; rejects when the signal aborts. */
  readonly rest?: Rest
}

type Rest = (ms: number, signal: AbortSignal) => Promise<void>
const restBetween: Rest = (ms, signal) => setTimeout(ms, undefined, { signal })

async function simulate(
  scenario: Scenario,
  { days, endMs }: SeasonFile,
  signal: AbortSignal,
  rest: Rest,
): Promise<Season> {
  const span = { days, endMs, endOfDayS: toSecondOfDay(endMs, scenario.timeZone) }
  const steps = simulateSeason(scenario, span)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await rest(SIMULATE_REST_MS, signal)
  }
}

/** Sends the hours of a gateway, the newest first: the last days are what people look at. */
async function sendGateway(
  season: Season,
  gateway: SeasonGateway,
  send: (readings: readonly ChildReading[], seq: number) => Promise<void>,
  signal: AbortSignal,
  rest: Rest,
): Promise<void> {
  let seq = 0
  for (let hour = season.hours - 1; hour >= 0; hour--) {
    const readings = readingsAt(gateway, hour, season.instantOf(hour))
    const sent: Promise<void>[] = []
    for (let first = 0; first < readings.length; first += MAX_CHILDREN) {
      sent.push(send(readings.slice(first, first + MAX_CHILDREN), seq++))
    }
    await Promise.all(sent)
    await rest(SEND_REST_MS, signal)
  }
}

/**
 * Simulates the past of a company and sends it through its concentrators, as a gateway sends what it buffered during a lost
 * connection. After a restart it begins again with the same messages, which the server stores once. Valves with their own link
 * have no past: they sleep most of the time.
 */
export async function sendSeason({ path, file }: OpenSeason, options: SendOptions): Promise<void> {
  const { scenario, pairs, now, signal, rest = restBetween } = options
  try {
    const season = await simulate(scenario, file, signal, rest)
    const linkOf = new Map(
      pairs.flatMap(({ gateway, link }) =>
        gateway.ownLink === undefined ? [[gateway.serial, link] as const] : [],
      ),
    )
    await Promise.all(
      season.gateways.map(async (gateway) => {
        const link = linkOf.get(gateway.serial)
        if (link === undefined) return
        const { boot } = file
        await sendGateway(
          season,
          gateway,
          (d, seq) => link.sendHistory({ v: 1, boot, seq, ts: now(), d: [...d] }),
          signal,
          rest,
        )
      }),
    )
    writeSeasonFile(path, { ...file, isSent: true })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
