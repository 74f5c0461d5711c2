import { type MaskedSource, toLine } from './source-text.ts'
import type { Violation } from './violation.ts'

const SPREAD = /\.\.\.\(*\s*([{[])/g
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
/** Text after a literal that is used as a value: a member, a call, an index, or a parameter's type. */
const USED_AS_VALUE = /^\s*(?:\?\.|\.|\(|\[|:)/

/** Index just past the bracket that closes the one at `start`. */
function skipBrackets(code: string, start: number): number {
  const open: string[] = []
  for (let at = start; at < code.length; at += 1) {
    const char = code[at] ?? ''
    const closing = CLOSING[char]
    if (closing !== undefined) open.push(closing)
    else if (char === open.at(-1)) open.pop()
    if (open.length === 0) return at + 1
  }
  return code.length
}

/**
 * Spreads of object and array literals, such as `...{ a, b }`. Their members can be written without the spread, and
 * the compiler does not check a spread for excess properties. A literal with a method call, such as
 * `...[1, 2].map(f)`, and a parameter pattern `...[a, b]: Pair` are allowed.
 */
export function checkLiteralSpreads(file: string, { codeOnly }: MaskedSource): readonly Violation[] {
  return [...codeOnly.matchAll(SPREAD)].flatMap(({ 0: found, index }) => {
    const opening = index + '...'.length
    // Blanked texts leave `[` in place, so the literal and the parentheses around it are closed by their own brackets.
    const after = codeOnly.slice(skipBrackets(codeOnly, opening))
    if (USED_AS_VALUE.test(after)) return []
    const inner = codeOnly.slice(index + found.length - 1)
    const afterLiteral = inner.slice(skipBrackets(inner, 0))
    if (USED_AS_VALUE.test(afterLiteral)) return []
    return [{ file, line: toLine(codeOnly, index), rule: 'literal-spread' as const, found: found.trim() }]
  })
}
