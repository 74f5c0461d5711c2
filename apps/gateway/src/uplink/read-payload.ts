/** Parses a payload as JSON; undefined if it is none. */
export function readJson(payload: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) }
  } catch {
    return undefined
  }
}
