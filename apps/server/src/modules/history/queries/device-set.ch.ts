/**
 * A subquery that returns the ids. The ids are packed as bytes: a list of hundreds of thousands of numbers would take
 * longer to parse than the query itself.
 */
export function toDeviceSet(ids: readonly number[]): string {
  const bytes = Buffer.from(Uint32Array.from(ids).buffer).toString('base64')
  return `SELECT reinterpretAsUInt32(substring(base64Decode('${bytes}'), number * 4 + 1, 4)) FROM numbers(${ids.length})`
}
