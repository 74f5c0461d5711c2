import { fieldLine } from '@isotherm/contract/gateway-config'
import { describeFields } from './describe-fields.ts'
import { type Draft, isDraft } from './draft.ts'

/** Objects of lines that have a default, by driver. */
const defaults: ReadonlyMap<unknown, readonly (readonly [string, Draft])[]> = new Map(
  fieldLine.options.map((schema) => [
    schema.shape.driver.value,
    describeFields(schema).flatMap(({ kind, name, initial }) =>
      kind === 'object' && isDraft(initial) ? [[name, initial] as const] : [],
    ),
  ]),
)

function completeLine(line: unknown): unknown {
  if (!isDraft(line)) return line
  const given = (defaults.get(line.driver) ?? []).filter(([name]) => isDraft(line[name]))
  const whole = given.map(([name, initial]) => [name, Object.assign({}, initial, line[name])] as const)
  return { ...line, ...Object.fromEntries(whole) }
}

/**
 * A draft as it is checked and saved: in an object that has a default, each field that is empty has the value of the
 * default. The schema has a default for the whole object only.
 */
export const completeDraft = (draft: Draft): Draft =>
  Array.isArray(draft.lines) ? { ...draft, lines: draft.lines.map(completeLine) } : draft
