import type { NodeKey } from '@isotherm/contract/tree'

/**
 * The test-marked sub-user is shown below every residential area. Its row keys have the key of the area after the uuid;
 * the server keys do not.
 */
const PLACED = /^(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@\d+/

const PLACED_ROW = /^[0-9a-f-]{36}@\d+$/

/** Row key of the test-marked sub-user below an area. */
export const toPlacedKey = (uuid: string, areaKey: string): string => `${uuid}@${areaKey}`

/** True for a row of the test-marked sub-user or below it. */
export const isPlacedKey = (key: string): boolean => PLACED.test(key)

/** True for a row of the test-marked sub-user itself. */
export const isPlacedRow = (key: string): boolean => PLACED_ROW.test(key)

/** The server key of the node of a row. */
export const toServerKey = (key: string): NodeKey => key.replace(PLACED, '$<uuid>')
