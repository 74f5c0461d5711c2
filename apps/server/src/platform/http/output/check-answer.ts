import type { Endpoint } from '@isotherm/contract/endpoint'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Path of the first field of an answer that its parsed form lacks. JSON leaves out undefined values. */
function findUnnamed(sent: unknown, named: unknown, path = ''): string | undefined {
  if (!isRecord(sent) || !isRecord(named)) return undefined
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined) continue
    const at = `${path}/${key}`
    if (!Object.hasOwn(named, key)) return at
    const found = findUnnamed(value, named[key], at)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Parses an answer by the contract. Throws if the answer does not match, or has a field that the contract does not name:
 * clients would get it, though nobody decided who may see it.
 */
export function checkAnswer({ output }: Pick<Endpoint, 'output'>, answer: unknown): unknown {
  const parsed = output.parse(answer)
  const unnamed = findUnnamed(answer, parsed)
  if (unnamed !== undefined) throw new Error(`the contract does not name the field ${unnamed} of the answer`)
  return parsed
}
