import type { CampaignDetail, CampaignMember } from '@isotherm/contract/balancing/campaign'
import type { RoomSource } from '@isotherm/contract/balancing/member-point'
import { toMemberSections } from '../map/member-map.ts'

type Roomed = Pick<CampaignDetail, 'members' | 'indices'>

/**
 * Rooms of a building: area-weighted means, °C, and the number of measured rooms below 18 °C. The means are of the
 * units with measured rooms, or of all units if none has any.
 */
export interface RoomRow {
  /** Comma-joined names down to the building. */
  readonly key: string
  readonly source: RoomSource
  readonly rooms: number
  readonly beforeC: number | undefined
  readonly expectedC: number | undefined
  /** 90% confidence bound. */
  readonly lowC: number | undefined
  readonly afterC: number | undefined
  readonly coldBefore: number
  readonly coldExpected: number
}

function meanByArea(
  members: readonly CampaignMember[],
  read: (member: CampaignMember) => number | undefined,
): number | undefined {
  let [sum, areaM2] = [0, 0]
  for (const member of members) {
    const value = read(member)
    if (value === undefined) continue
    sum += value * member.areaM2
    areaM2 += member.areaM2
  }
  return areaM2 > 0 ? sum / areaM2 : undefined
}

const countBy = (
  members: readonly CampaignMember[],
  read: (member: CampaignMember) => number | undefined,
): number => members.reduce((sum, member) => sum + (read(member) ?? 0), 0)

/** Source of a room temperature; campaigns of earlier versions only count the measured rooms. */
export const sourceOf = ({
  roomSource,
  rooms = 0,
}: Pick<CampaignMember['before'], 'roomSource' | 'rooms'>): RoomSource =>
  roomSource ?? (rooms > 0 ? 'measured' : 'estimated')

const isMeasured = ({ before }: CampaignMember): boolean =>
  before.roomC !== undefined && sourceOf(before) === 'measured'

/** Buildings with measured or estimated rooms, sorted by place. */
export const toRoomRows = (members: readonly CampaignMember[]): readonly RoomRow[] =>
  toMemberSections(members).flatMap(({ key, rows }): RoomRow[] => {
    const measured = rows.filter(isMeasured)
    const source: RoomSource = measured.length > 0 ? 'measured' : 'estimated'
    const averaged = source === 'measured' ? measured : rows
    const row = {
      key,
      source,
      rooms: countBy(rows, ({ before }) => before.rooms),
      beforeC: meanByArea(averaged, ({ before }) => before.roomC),
      expectedC: meanByArea(averaged, ({ expected }) => expected.roomC),
      lowC: meanByArea(averaged, ({ expected }) => expected.roomLowC),
      afterC: source === 'measured' ? meanByArea(measured, ({ after }) => after?.roomC) : undefined,
      coldBefore: countBy(rows, ({ before }) => before.coldRooms),
      coldExpected: countBy(rows, ({ expected }) => expected.coldRooms),
    }
    return row.beforeC === undefined && row.expectedC === undefined ? [] : [row]
  })

/** Measured rooms below 18 °C. */
export interface ColdRooms {
  readonly rooms: number
  readonly before: number
  readonly expected: number
  /** 90% confidence bound. */
  readonly worst?: number
}

/** Cold rooms of a campaign; undefined without measured rooms. */
export function findColdRooms({ members, indices }: Roomed): ColdRooms | undefined {
  const rooms = countBy(members, ({ before }) => before.rooms)
  const forecastRooms = countBy(members, ({ expected }) => expected.rooms)
  if (rooms === 0) return undefined
  const share = indices.worst?.under18
  return {
    rooms,
    before: countBy(members, ({ before }) => before.coldRooms),
    expected: countBy(members, ({ expected }) => expected.coldRooms),
    ...(share === undefined ? {} : { worst: Math.round(share * forecastRooms) }),
  }
}
