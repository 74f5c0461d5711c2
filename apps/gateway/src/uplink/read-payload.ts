/** Parses a payload; undefined if it is not JSON in UTF-8. The value is wrapped because it may be null. */
export function readJson(payload: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) }
  } catch {
    return undefined
  }
}
