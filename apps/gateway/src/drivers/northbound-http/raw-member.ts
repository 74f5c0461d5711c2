/** End of the JSON value that starts at `from`. Undefined if it does not end. */
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
 * An object or a list that is a member of a JSON object, as it stands in the text: a signature of it is one of these characters, and
 * writing the parsed value again may order or space it differently. Undefined if there is none.
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
