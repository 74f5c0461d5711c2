/** Arrays of numbers in a snapshot; integers are exact. */
export type Numbers = Float64Array | Int32Array

/** Encodes arrays of numbers as text without loss. */
export function toText(arrays: readonly Numbers[]): string {
  const all = new Float64Array(arrays.reduce((sum, array) => sum + array.length, 0))
  let at = 0
  for (const array of arrays) {
    all.set(array, at)
    at += array.length
  }
  return Buffer.from(all.buffer).toString('base64')
}

/** Decodes the text of `toText` into arrays. Throws if the total length differs. */
export function fromText(text: string, arrays: readonly Numbers[]): void {
  const bytes = Buffer.from(text, 'base64')
  const length = arrays.reduce((sum, array) => sum + array.length, 0)
  if (bytes.length !== 8 * length) throw new Error(`${bytes.length} bytes instead of ${8 * length}`)
  const all = new Float64Array(length)
  bytes.copy(new Uint8Array(all.buffer))
  let at = 0
  for (const array of arrays) {
    array.set(all.subarray(at, at + array.length))
    at += array.length
  }
}
