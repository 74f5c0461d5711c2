import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** Up to this many devices are compared with a text. Among more, only numbers are found, by their indexes. */
export const MAX_SCANNED = 100_000
/** Shorter texts match too many devices. */
const MIN_START_LENGTH = 3
const MIN_END_LENGTH = 4
/** An index that finds more devices than this has found too many. */
const MAX_FOUND = 5_000
/** The characters of serials, IMEIs and meter numbers. */
const NUMBER = /^[A-Za-z0-9_.-]{3,60}$/

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Condition that a device's name or one of its numbers contains a text, case-insensitive. */
export const hasText = (text: string): RawBuilder<SqlBool> => {
  const pattern = `%${escapeLike(text)}%`
  return sql<SqlBool>`(device.name ilike ${pattern} or device.serial ilike ${pattern}
    or device.imei ilike ${pattern} or device.meter_no ilike ${pattern})`
}

/**
 * Ids of all devices that have a number starting or ending with a text. Checks no scope. Throws filter.too-wide for a
 * text that is no part of a number, is too short, or matches too many devices.
 */
export async function findByNumber(db: Database, text: string): Promise<readonly number[]> {
  const searched = text.trim().toLowerCase()
  if (!NUMBER.test(searched)) throw new AppError('filter.too-wide')
  const starts = `${escapeLike(searched)}%`
  const ends = `${escapeLike([...searched].reverse().join(''))}%`
  const selects = ['serial', 'imei', 'meter_no'].flatMap((column) => {
    const name = sql.ref(column)
    // The expressions are those of the indexes in migrations.pg.ts.
    const starting = sql`lower(${name}) collate "C"`
    const ending = sql`reverse(lower(${name})) collate "C"`
    // Ordered by the index expression, so that the planner uses this index: another one would scan every device.
    const by = (expression: typeof starting, pattern: string) => sql`(
      select id from device where ${expression} like ${pattern} order by ${expression} limit ${MAX_FOUND + 1})`
    const [start, end] = [by(starting, starts), by(ending, ends)]
    return [
      ...(searched.length < MIN_START_LENGTH ? [] : [start]),
      ...(searched.length < MIN_END_LENGTH ? [] : [end]),
    ]
  })
  const { rows } = await sql<{ id: number }>`${sql.join(selects, sql` union all `)}`.execute(db)
  if (rows.length > MAX_FOUND) throw new AppError('filter.too-wide')
  return [...new Set(rows.map(({ id }) => id))]
}
