import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import type { Place } from '../registry/company.ts'
import type { Session } from '../registry/server-calls.ts'

/** Time between two calls of an open console, ms. */
const PAUSE_MS = { min: 2_000, max: 8_000 } as const

export interface OpenPages {
  readonly sessions: readonly Session[]
  /** Areas of the company. */
  readonly places: readonly Place[]
  readonly valveIds: readonly number[]
  /** Called for each call that fails; without it the first one ends the work. */
  readonly onFailure?: (path: string, error: unknown) => void
}

/** Times of the calls of open pages, ms, by endpoint path. */
export type CallTimes = Map<string, number[]>

/** Keeps pages open while `work` runs: each session refetches what the pages show that people keep open. */
export async function withOpenPages<Result>(
  { sessions, places, valveIds, onFailure }: OpenPages,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly times: CallTimes }> {
  const times: CallTimes = new Map()
  const limiter = { page: 1, size: 100 }
  let isOver = false
  const record = async (path: string, call: Promise<{ readonly ms: number }>): Promise<void> => {
    try {
      const { ms } = await call
      times.set(path, [...(times.get(path) ?? []), ms])
    } catch (error) {
      if (!onFailure) throw error
      onFailure(path, error)
    }
  }

  function refetch(session: Session, turn: number): Promise<void> {
    const place = places[turn % places.length]
    const nodes = place ? [String(place.id)] : []
    const deviceIds = [valveIds[turn % valveIds.length] ?? 0]
    const { getNetworkFigures, getThreeSelectNewRealDev, getRooms, getAlarms, rbacGetDataHisFromDevs } =
      endpoints
    switch (turn % 6) {
      case 0:
        return record('figures, company', session.call(getNetworkFigures, { nodes: [] }))
      case 1:
        return record(
          'valves, area',
          session.call(getThreeSelectNewRealDev, { nodes, kinds: ['valve'], limiter }),
        )
      case 2:
        return record('rooms, area', session.call(getRooms, { nodes, limiter }))
      case 3:
        return record('alarms, company', session.call(getAlarms, { nodes: [], limiter }))
      case 4:
        return record('figures, area', session.call(getNetworkFigures, { nodes }))
      default: {
        const to = Date.now()
        return record(
          'history, 7 days',
          session.call(rbacGetDataHisFromDevs, {
            deviceIds,
            metrics: ['temp.return'],
            from: to - 7 * DAY_MS,
            to,
            maxPoints: 500,
          }),
        )
      }
    }
  }

  async function keepOpen(session: Session, nr: number): Promise<void> {
    await wait(Math.random() * PAUSE_MS.max)
    for (let turn = nr; !isOver; turn += sessions.length + 1) {
      await refetch(session, turn)
      await wait(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min))
    }
  }

  const open = Promise.all(sessions.map(keepOpen))
  // If a page fails during the work, the error is thrown after it.
  open.catch(() => undefined)
  const result = await work()
  isOver = true
  await open
  return { result, times }
}
