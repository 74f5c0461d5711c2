import type { NodeKey } from '@isotherm/contract/tree'

/**
 * The sub-user marked for testing stands below every residential area, so its rows are told apart by the
 * area's key behind the uuid; the server knows them without it.
 */
const PLACED = /^(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@\d+/

const PLACED_ROW = /^[0-9a-f-]{36}@\d+$/

/** Key of a test-marked sub-user's row below an area. */
export const toPlacedKey = (uuid: string, areaKey: string): string => `${uuid}@${areaKey}`

/** Whether a row is the test-marked sub-user's or below it. */
export const isPlacedKey = (key: string): boolean => PLACED.test(key)

/** Whether a row is the test-marked sub-user's own. */
export const isPlacedRow = (key: string): boolean => PLACED_ROW.test(key)

/** Key by which the server knows the node of a row. */
export const toServerKey = (key: string): NodeKey => key.replace(PLACED, '$<uuid>')
