import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getRooms, Room } from '@isotherm/contract/endpoints/monitoring/rooms'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../platform/app-error.ts'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { toOffset } from '../../platform/postgres/filter.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { DeviceSelector } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { countOpenFindings, type Telemetry } from '../telemetry/index.ts'
import { type JudgedRoom, judgeRooms, orderByTemperature } from './list/judge-rooms.ts'
import { countOtherRules, findSelectionRules } from './rules/rules.pg.ts'
import { findRooms } from './store/find-rooms.pg.ts'
import { readRecentFalls } from './store/recent-falls.ch.ts'
import { findReasons } from './why/find-reasons.ts'
import { createSurroundings } from './why/surroundings.ts'

export interface RoomsNeeds {
  readonly db: Database
  readonly queryClickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly selector: Pick<DeviceSelector, 'select' | 'find' | 'findPlaces'>
  readonly telemetry: Pick<Telemetry, 'listValues' | 'states' | 'presence' | 'timeFactor'>
}

/** Room temperatures of a scope, judged by the rules. */
export interface RoomsService {
  /** Throws node.not-found, filter.too-wide. */
  getRooms(scope: Scope, input: InputOf<typeof getRooms>): Promise<OutputOf<typeof getRooms>>
}

/** Most rooms that the database puts in tree order. */
const MAX_SORTED = 20_000

export function createRoomsService(needs: RoomsNeeds): RoomsService {
  const { db, queryClickhouse, clock, network, selector, telemetry } = needs

  /** A page of rooms in tree order. Throws filter.too-wide. */
  async function listByPlace(
    scope: Scope,
    paths: readonly string[],
    matching: readonly JudgedRoom[],
    { limiter, text, state, band }: InputOf<typeof getRooms>,
  ): Promise<readonly JudgedRoom[]> {
    const isWhole = text.trim() === '' && state === undefined && band === undefined
    if (!isWhole && matching.length > MAX_SORTED) throw new AppError('filter.too-wide')
    const ids = isWhole ? undefined : matching.map(({ device }) => device.id)
    const selection = { paths, kinds: ['room-sensor'] as const, filter: [], ids }
    const page = await selector.select(scope, selection, { limiter })
    const byId = new Map(matching.map((room) => [room.device.id, room]))
    return page.ids.flatMap((id) => byId.get(id) ?? [])
  }

  async function explain(
    rooms: readonly JudgedRoom[],
    levelOf: (id: number) => number,
  ): Promise<ReadonlyMap<number, Room['reasons']>> {
    const ids = rooms.map(({ device }) => device.id)
    const cold = rooms.filter(({ state }) => state === 'cold').map(({ device }) => device.id)
    // In the demo, an hour of the plant passes faster.
    const since = clock.now() - HOUR_MS / (telemetry.timeFactor() ?? 1)
    const [findings, falls] = await Promise.all([
      countOpenFindings(db, ids),
      readRecentFalls(queryClickhouse, cold, since),
    ])
    const readAround = createSurroundings(telemetry.listValues)
    const reasons = new Map<number, Room['reasons']>()
    for (const { device, state, rules } of rooms) {
      const { id, path } = device
      const own = { state, findings: findings.get(id) ?? 0, fellK: falls.get(id) ?? 0 }
      const around =
        state === 'cold' || state === 'hot'
          ? await readAround({ id, path, level: levelOf(id) })
          : { feed: undefined, peers: { supplyC: undefined, returnC: undefined }, neighbours: undefined }
      reasons.set(id, findReasons({ ...own, ...around }, rules))
    }
    return reasons
  }

  async function toRooms(scope: Scope, page: readonly JudgedRoom[]): Promise<readonly Room[]> {
    const ids = page.map(({ device }) => device.id)
    async function explainPage() {
      const places = await selector.findPlaces(scope, ids)
      return explain(page, (id) => places.get(id)?.level ?? 0)
    }
    const [found, reasons] = await Promise.all([selector.find(scope, ids), explainPage()])
    const devices = new Map(found.map((each) => [each.id, each]))
    return page.flatMap(({ device: { id }, state }) => {
      const each = devices.get(id)
      // It was removed or moved out of the scope meanwhile.
      if (!each) return []
      const { imei, name, node, nestaddr, periodS } = each
      const known = telemetry.states.find(id)
      const roomC = known?.metrics['temp.room']
      return {
        device: { id, imei, name, node, nestaddr, periodS },
        state,
        presence: known ? (telemetry.presence.find(id) ?? 'silent') : 'never',
        ...(known && roomC !== undefined ? { newest: { roomC, at: known.ts, quality: known.quality } } : {}),
        reasons: reasons.get(id) ?? [],
      }
    })
  }

  return {
    async getRooms(scope, input) {
      const { nodes, text, state, band, sort, descending, limiter } = input
      const paths = await network.resolveNodes(scope, nodes)
      const [{ placed, rulesAt }, listed, named] = await Promise.all([
        findSelectionRules(db, paths),
        telemetry.listValues(paths, 'room-sensor', 'temp.room'),
        text.trim() === '' ? undefined : findRooms(db, paths, text),
      ])
      const searched = named ? listed.filter(({ device }) => named.has(device.id)) : listed
      const { rules } = placed
      const { rooms, counts } = await judgeRooms(searched, rules, rulesAt)
      const matching =
        state === undefined && band === undefined
          ? rooms
          : rooms.filter(
              (room) =>
                (state === undefined || room.state === state) && (band === undefined || room.band === band),
            )
      const start = toOffset(limiter)
      const page =
        sort === 'place'
          ? await listByPlace(scope, paths, matching, input)
          : orderByTemperature(matching, descending).slice(start, start + limiter.size)
      return {
        datalist: [...(await toRooms(scope, page))],
        total: matching.length,
        counts,
        rules,
        otherRules: countOtherRules(rooms, rules),
      }
    },
  }
}
