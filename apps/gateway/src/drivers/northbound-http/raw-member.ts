/** End of the JSON value that starts at `from`; undefined if the value is not complete. */
function findEnd(text: string, from: number): number | undefined {
  let depth = 0
  let isText = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/**
 * Text of an object or list that is a member of a JSON object, exactly as received. A signature is computed from
 * these characters, and serializing the parsed value may change order or spaces. Undefined if there is no such
 * member.
 */
export function readRawMember(text: string, name: string): string | undefined {
  for (let at = text.indexOf('{') + 1; at > 0 && at < text.length; ) {
    const key = /(?:\s*,)?\s*"((?:[^"\\]|\\.)*)"\s*:\s*/y
    key.lastIndex = at
    const found = key.exec(text)
    if (found === null) return undefined
    const start = key.lastIndex
    const isNested = text[start] === '{' || text[start] === '['
    const scalar = /"(?:[^"\\]|\\.)*"|[^,}\]]+/y
    scalar.lastIndex = start
    const end = isNested ? findEnd(text, start) : start + (scalar.exec(text)?.[0].length ?? 0)
    if (end === undefined || end === start) return undefined
    if (found[1] === name) return isNested ? text.slice(start, end) : undefined
    at = end
  }
  return undefined
}
