import type { NodeKey } from '@isotherm/contract/tree'

/**
 * The sub-user marked for testing stands below every residential area, so its rows are told apart by the
 * area's key behind the uuid; the server knows them without it.
 */
const PLACED = /^(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@\d+/

/** Key of a test-marked sub-user's row below an area. */
export const toPlacedKey = (uuid: string, areaKey: string): string => `${uuid}@${areaKey}`

export const isPlacedKey = (key: string): boolean => PLACED.test(key)

/** Key by which the server knows the node of a row. */
export const toServerKey = (key: string): NodeKey => key.replace(PLACED, '$<uuid>')
