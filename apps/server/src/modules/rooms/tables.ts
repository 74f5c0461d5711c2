import type { RoomRules } from '@isotherm/contract/rooms/room-bands'
import type { VisitResult } from '@isotherm/contract/rooms/room-visit'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Rules of a node, for the rooms at and below it. */
export interface RoomRulesTable {
  id: GeneratedAlways<number>
  node_id: number
  rules: ColumnType<RoomRules, string, string>
  version: Generated<number>
}

/** A complaint about a room, and what was measured on site. */
export interface RoomVisitTable {
  id: GeneratedAlways<number>
  device_id: number
  requested_at: Date
  resident: string
  phone: string
  complaint: string
  created_by: string
  sensor_c: number | null
  result: ColumnType<VisitResult | null, string | null, string | null>
  version: Generated<number>
}

declare module '../../platform/tables.ts' {
  interface Tables {
    room_rules: RoomRulesTable
    room_visit: RoomVisitTable
  }
}
