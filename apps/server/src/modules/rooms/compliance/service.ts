import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { type getRoomCompliance, MAX_ROOM_DAYS } from '@isotherm/contract/endpoints/monitoring/rooms'
import type { RoomRules } from '@isotherm/contract/rooms/room-bands'
import { DAY_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import type { DeviceSelector, DirectoryEntry } from '../../devices/index.ts'
import { type HeatingSeason, type MonthDay, toHeatingSeason } from '../../history/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { Telemetry } from '../../telemetry/index.ts'
import { countOtherRules, findSelectionRules, type SelectionRules } from '../rules/rules.pg.ts'
import { findRooms } from '../store/find-rooms.pg.ts'
import { readAreas } from './areas.pg.ts'
import { findMeanDates, type LocalDay, type RoomSums, readCompliance } from './read-compliance.ch.ts'

export interface ComplianceNeeds {
  readonly db: Database
  readonly queryClickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly selector: Pick<DeviceSelector, 'find'>
  readonly telemetry: Pick<Telemetry, 'listValues'>
  readonly zone: string
  readonly season: string
}

/** How rooms followed the rules over local days. */
export interface ComplianceService {
  /** Throws node.not-found, history.range-too-large, request.malformed. */
  getCompliance(
    scope: Scope,
    input: InputOf<typeof getRoomCompliance>,
  ): Promise<OutputOf<typeof getRoomCompliance>>
}

const USUAL_DAYS = 7

/** Days of a heating season, both ends included. */
export function countSeasonDays({ first, last }: HeatingSeason): number {
  const toDay = (year: number, { month, day }: MonthDay) => Date.UTC(year, month - 1, day) / DAY_MS
  const span = toDay(2001, last) - toDay(2001, first)
  return (span < 0 ? span + 365 : span) + 1
}

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** A room with the rules that judge it. */
type RuledRoom = RoomSums & { readonly rules: RoomRules }

const toId = ({ deviceId }: RoomSums): number => deviceId

/** Amount of a refund of some days, yuan; undefined without an area or a fee. */
const toYuan = (
  { refundDays, rules: { yuanPerM2 } }: RuledRoom,
  areaM2: number | undefined,
  seasonDays: number,
): number | undefined =>
  areaM2 === undefined || yuanPerM2 === 0 ? undefined : (refundDays * yuanPerM2 * areaM2) / seasonDays

export function createComplianceService(needs: ComplianceNeeds): ComplianceService {
  const { db, queryClickhouse, clock, network, selector, telemetry, zone } = needs
  const { toLocal, toInstant } = createTimeZone(zone)
  const seasonDays = countSeasonDays(toHeatingSeason(needs.season))

  /** Local midnights of the range as if they were in UTC, `to` excluded. Throws history.range-too-large. */
  function toRange({ from, to }: Pick<InputOf<typeof getRoomCompliance>, 'from' | 'to'>) {
    const today = Math.floor(toLocal(clock.now()) / DAY_MS) * DAY_MS
    const end = (to === undefined ? today : Date.parse(to)) + DAY_MS
    const start = from === undefined ? end - USUAL_DAYS * DAY_MS : Date.parse(from)
    if (start >= end) throw new AppError('request.malformed', { detail: 'to: must not be before from' })
    if (end - start > MAX_ROOM_DAYS * DAY_MS)
      throw new AppError('history.range-too-large', { maxDays: MAX_ROOM_DAYS })
    return { start, end }
  }

  /** Sums of rooms, each by the rules of its place. */
  async function readRooms(
    rooms: readonly Pick<DirectoryEntry, 'id' | 'path'>[],
    rulesAt: SelectionRules['rulesAt'],
    days: readonly LocalDay[],
  ) {
    const found: RuledRoom[] = []
    const meanDates = await findMeanDates(queryClickhouse, days, zone)
    for (const [rules, judged] of Map.groupBy(rooms, ({ path }) => rulesAt(path))) {
      const deviceIds = judged.map(({ id }) => id)
      const sums = await readCompliance(queryClickhouse, { deviceIds, days, rules, zone }, meanDates)
      for (const room of sums) found.push({ ...room, rules })
    }
    return found
  }

  return {
    async getCompliance(scope, { nodes, text, sort, descending, limiter, ...dates }) {
      const { start, end } = toRange(dates)
      const paths = await network.resolveNodes(scope, nodes)
      const [{ placed, rulesAt }, listed, named] = await Promise.all([
        findSelectionRules(db, paths),
        telemetry.listValues(paths, 'room-sensor', 'temp.room'),
        text.trim() === '' ? undefined : findRooms(db, paths, text),
      ])
      const { version: _, ...stated } = placed
      const chosen = listed.map(({ device }) => device).filter(({ id }) => named?.has(id) ?? true)
      const days = Array.from({ length: (end - start) / DAY_MS }, (_, day) => {
        const midnight = start + day * DAY_MS
        return { date: toDate(midnight), from: toInstant(midnight), to: toInstant(midnight + DAY_MS) }
      })
      const rooms = await readRooms(chosen, rulesAt, days)
      const refunded = rooms.filter(({ refundDays, rules }) => refundDays > 0 && rules.yuanPerM2 > 0)
      const areas = await readAreas(db, refunded.map(toId))
      const priced = rooms.map((room) => ({
        ...room,
        yuan: toYuan(room, areas.get(room.deviceId), seasonDays),
      }))
      const keyOf: Readonly<Record<typeof sort, (room: (typeof priced)[number]) => number>> = {
        degreeHours: ({ degreeHours }) => degreeHours,
        refund: ({ yuan = 0, refundDays }) => yuan * 1e6 + refundDays,
        mean: ({ meanC }) => meanC,
      }
      const key = keyOf[sort]
      const sign = descending ? -1 : 1
      const ranked = priced.toSorted(
        (left, right) => sign * (key(left) - key(right)) || left.deviceId - right.deviceId,
      )
      const offset = toOffset(limiter)
      const page = ranked.slice(offset, offset + limiter.size)
      const [found, shownAreas] = await Promise.all([
        selector.find(scope, page.map(toId)),
        readAreas(db, page.map(toId)),
      ])
      const devices = new Map(found.map((device) => [device.id, device]))
      const add = (pick: (room: (typeof priced)[number]) => number) =>
        priced.reduce((sum, room) => sum + pick(room), 0)
      return {
        ...stated,
        otherRules: countOtherRules(priced, placed.rules),
        from: toDate(start),
        to: toDate(end - DAY_MS),
        total: priced.length,
        sums: {
          hours: add(({ hours }) => hours),
          coldHours: add(({ coldHours }) => coldHours),
          degreeHours: add(({ degreeHours }) => degreeHours),
          roomsWithRefund: add(({ refundDays }) => Number(refundDays > 0)),
          refundDays: add(({ refundDays }) => refundDays),
          refundYuan: add(({ yuan = 0 }) => yuan),
          unpriced: add(({ refundDays, yuan }) => Number(refundDays > 0 && yuan === undefined)),
        },
        datalist: page.flatMap((shown) => {
          const { deviceId, rules: _rules, yuan: _yuan, ...room } = shown
          const device = devices.get(deviceId)
          if (!device) return []
          const areaM2 = shownAreas.get(deviceId)
          const yuan = toYuan(shown, areaM2, seasonDays)
          const { id, imei, name, node, nestaddr } = device
          return [
            {
              device: { id, imei, name, node, nestaddr },
              ...(areaM2 === undefined ? {} : { areaM2 }),
              ...room,
              ...(yuan === undefined ? {} : { refundYuan: yuan }),
            },
          ]
        }),
      }
    },
  }
}
