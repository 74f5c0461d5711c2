import { ClickHouseError } from '@clickhouse/client'
import { RefusedRowsError } from './refused-rows.ts'

/**
 * Names of what ClickHouse refuses rows for that it will refuse for ever: a value that does not fit its column, text
 * it cannot read, a constraint of the table. Whatever else it says is taken for a store that is away for a while, for
 * nothing tells whether it lies in the rows; TOO_MANY_PARTS is both, so inserts ask for no limit of months, and
 * CANNOT_READ_ALL_DATA is of bodies that were cut short on their way.
 */
const OF_ROWS: ReadonlySet<string> = new Set([
  'ARGUMENT_OUT_OF_BOUND',
  'CANNOT_CONVERT_TYPE',
  'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  'CANNOT_PARSE_DATE',
  'CANNOT_PARSE_DATETIME',
  'CANNOT_PARSE_ESCAPE_SEQUENCE',
  'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  'CANNOT_PARSE_NUMBER',
  'CANNOT_PARSE_QUOTED_STRING',
  'CANNOT_PARSE_TEXT',
  'DECIMAL_OVERFLOW',
  'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
  'INCORRECT_DATA',
  'TOO_LARGE_STRING_SIZE',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  'VIOLATED_CONSTRAINT',
])

/** An insert that rejects with RefusedRowsError where the reason lies in its rows. */
export async function throwRefusedRows(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    const isOfRows = error instanceof ClickHouseError && OF_ROWS.has(error.type ?? '')
    throw isOfRows ? new RefusedRowsError(error.message, { cause: error }) : error
  }
}
