import { at, type Columns, clearFlagBelow, flag, hasFlag, NO_NODE, ROOT_NODE, setFlag } from './columns.ts'

/**
 * A pattern for labels that contain the text, ignoring case. It takes a fifth of the time of converting 500,000 labels to
 * lower case, and needs no copies.
 */
const toPattern = (text: string): RegExp => new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')

/** Marks the nodes with the text in their label, and their ancestors. Returns the number of matches. */
export function markMatches(columns: Columns, text: string): number {
  clearFlagBelow(columns, ROOT_NODE, flag.match | flag.leading)
  const pattern = toPattern(text)
  let matches = 0
  for (let node = ROOT_NODE + 1; node < columns.count; node += 1) {
    if (hasFlag(columns, node, flag.gone) || !pattern.test(columns.labels[node] ?? '')) continue
    matches += 1
    setFlag(columns, node, flag.match)
    let above = at(columns.parents, node)
    while (above !== NO_NODE && !hasFlag(columns, above, flag.leading)) {
      setFlag(columns, above, flag.leading)
      above = at(columns.parents, above)
    }
  }
  return matches
}
