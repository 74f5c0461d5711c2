import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { quantile } from '@isotherm/kernel/statistics'
import { type OpenPages, withOpenPages } from '../company/open-pages.ts'
import type { WatchResult, WatchSettings } from '../live/settings.ts'
import { startProcess, waitForLine } from '../server/processes.ts'
import type { Incidents } from './incidents.ts'

/** A manager orders so many valves at once, so often. */
const ORDERED_VALVES = 200
const ORDER_EVERY_MS = 4 * MINUTE_MS
const EXPORT_AFTER_MS = 2 * MINUTE_MS
/** Sessions end after two hours if nobody renews them; consoles do before. */
const RENEW_AFTER_MS = HOUR_MS

/** What people saw in a period. */
export interface Seen {
  /** 95 of 100 calls of the pages took at most so long, ms. */
  readonly pageP95Ms: number
  /** 95 of 100 values were pushed within this time, ms; not known if the consoles were closed. */
  readonly pushP95Ms: number
}

/** The people of a company at their consoles, for one period after the other. */
export function createPeople(
  pages: OpenPages,
  watching: Omit<WatchSettings, 'tokens'>,
  incidents: Incidents,
) {
  let renewedAt = Date.now()
  let watchers: ChildProcess | undefined
  let turn = 0
  const attempt = (what: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => incidents.add(`${what}: ${error}`))
  const [manager] = pages.sessions
  if (!manager) throw new Error('the company has no people')

  const orderValves = () => {
    turn += 1
    const targets = pages.valveIds
      .slice(0, ORDERED_VALVES)
      .map((deviceId, index) => ({ deviceId, openingPct: 40 + ((index + turn) % 40) }))
    return attempt('order', manager.call(endpoints.publishMqCtlCmd, { targets, reason: 'soak' }))
  }

  const exportDay = () => {
    const to = Date.now()
    return attempt(
      'export',
      manager.download(endpoints.exportDataRows, {
        nodes: [],
        deviceIds: [],
        kinds: ['valve'],
        metrics: ['temp.return'],
        level: 'hour',
        from: to - DAY_MS,
        to,
        format: 'csv',
      }),
    )
  }

  async function renewWhenDue() {
    if (Date.now() - renewedAt < RENEW_AFTER_MS) return
    renewedAt = Date.now()
    for (const session of pages.sessions) await attempt('renewal', session.renew())
  }

  /** Live push on all consoles. */
  async function watch(ms: number): Promise<number> {
    const child = startProcess(new URL('../live/watch.ts', import.meta.url), [
      JSON.stringify({ ...watching, measuredMs: ms, tokens: pages.sessions.map(({ bearer }) => bearer) }),
    ])
    watchers = child
    try {
      const result: WatchResult = JSON.parse(await waitForLine(child, 'RESULT '))
      return result.p95Ms
    } catch (error) {
      incidents.add(`live push: ${error}`)
      return Number.NaN
    }
  }

  return {
    /** Works for a period: open pages, live push, orders of valves and an export. */
    async work(ms: number): Promise<Seen> {
      await renewWhenDue()
      const endsAt = Date.now() + ms
      const orders = async () => {
        for (; Date.now() < endsAt; await wait(Math.min(ORDER_EVERY_MS, Math.max(0, endsAt - Date.now()))))
          await orderValves()
      }
      const exporting = async () => {
        await wait(Math.min(EXPORT_AFTER_MS, ms / 4))
        await exportDay()
      }
      const { result, times } = await withOpenPages(
        { ...pages, onFailure: (path, error) => incidents.add(`${path}: ${error}`) },
        async () => {
          const [pushP95Ms] = await Promise.all([watch(ms), orders(), exporting()])
          return pushP95Ms
        },
      )
      return { pageP95Ms: quantile([...times.values()].flat(), 0.95) ?? Number.NaN, pushP95Ms: result }
    },
    /** Closes all consoles without a goodbye. */
    vanish() {
      watchers?.kill('SIGKILL')
    },
  }
}
