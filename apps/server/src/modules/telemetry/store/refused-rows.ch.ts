import { ClickHouseError } from '@clickhouse/client'
import { RefusedRowsError } from './refused-rows.ts'

/**
 * Errors with which ClickHouse refuses rows for good: a value that does not fit its column, unreadable text, a violated
 * constraint. Every other error counts as a temporary failure, because it does not show whether the rows are the cause.
 * Two are ambiguous and not listed: TOO_MANY_PARTS, which inserts avoid by setting no limit of months, and
 * CANNOT_READ_ALL_DATA, which also means a body that was cut off in transfer.
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

/** Runs an insert; rejects with RefusedRowsError if its rows are the cause of the failure. */
export async function throwRefusedRows(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    const isOfRows = error instanceof ClickHouseError && OF_ROWS.has(error.type ?? '')
    throw isOfRows ? new RefusedRowsError(error.message, { cause: error }) : error
  }
}
