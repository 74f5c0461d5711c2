import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** So many devices are looked through for a text; of more only numbers are found, by the indexes of these. */
export const MOST_LOOKED_THROUGH = 100_000
/** Fewer signs than these say too little among many devices. */
const SHORTEST_START = 3
const SHORTEST_END = 4
/** Devices found by one index that are worth looking at. */
const MOST_FOUND = 5_000
/** Signs of serials, IMEIs and meter numbers, as the indexes hold them. */
const NUMBER = /^[A-Za-z0-9_.-]{3,60}$/

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Condition that a device's name or one of its numbers contains a text, in letters of either case. */
export const hasText = (text: string): RawBuilder<SqlBool> => {
  const pattern = `%${escapeLike(text)}%`
  return sql<SqlBool>`(device.name ilike ${pattern} or device.serial ilike ${pattern}
    or device.imei ilike ${pattern} or device.meter_no ilike ${pattern})`
}

/**
 * Ids of the devices anywhere one of whose numbers starts or ends with a text. Throws filter.too-wide for a text
 * that is no part of a number, that is too short, or with which too many begin.
 */
export async function findNumbered(db: Database, text: string): Promise<readonly number[]> {
  const wanted = text.trim().toLowerCase()
  if (!NUMBER.test(wanted)) throw new AppError('filter.too-wide')
  const starts = `${escapeLike(wanted)}%`
  const ends = `${escapeLike([...wanted].reverse().join(''))}%`
  const selects = ['serial', 'imei', 'meter_no'].flatMap((column) => {
    const name = sql.ref(column)
    // The expressions are those of the indexes in migrations.pg.ts.
    const starting = sql`lower(${name}) collate "C"`
    const ending = sql`reverse(lower(${name})) collate "C"`
    // In the order of the index it must be found by: by another one all devices are looked through.
    const by = (expression: typeof starting, pattern: string) => sql`(
      select id from device where ${expression} like ${pattern} order by ${expression} limit ${MOST_FOUND + 1})`
    const [start, end] = [by(starting, starts), by(ending, ends)]
    return [
      ...(wanted.length < SHORTEST_START ? [] : [start]),
      ...(wanted.length < SHORTEST_END ? [] : [end]),
    ]
  })
  const { rows } = await sql<{ id: number }>`${sql.join(selects, sql` union all `)}`.execute(db)
  if (rows.length > MOST_FOUND) throw new AppError('filter.too-wide')
  return [...new Set(rows.map(({ id }) => id))]
}
