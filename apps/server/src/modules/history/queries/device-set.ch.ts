/**
 * A query whose rows are these ids, which come as packed bytes: as a list of numbers hundreds of thousands would take
 * longer to read than what is asked of them.
 */
export function toDeviceSet(ids: readonly number[]): string {
  const bytes = Buffer.from(Uint32Array.from(ids).buffer).toString('base64')
  return `SELECT reinterpretAsUInt32(substring(base64Decode('${bytes}'), number * 4 + 1, 4)) FROM numbers(${ids.length})`
}
