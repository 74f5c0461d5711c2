import { z } from 'zod'

const schema = z.looseObject({
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  minLength: z.number().optional(),
  pattern: z.string().optional(),
})

/** Texts of which one fits most patterns of the contract. */
const texts: readonly string[] = [
  'a',
  '1',
  'name of it',
  '0'.repeat(64),
  '123456789012345',
  '2026-11-29',
  '13800000000',
  '12:30',
  'https://a.example/b',
]

function toText({ minLength = 0, pattern }: z.infer<typeof schema>): string {
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const fitting = texts.find((text) => text.length >= minLength && (rule?.test(text) ?? true))
  return fitting ?? 'a'.repeat(Math.max(1, minLength))
}

/** A value that a JSON schema allows, or nearly: rules beyond types and lengths are not looked at. */
export function toSample(given: unknown): unknown {
  const found = schema.safeParse(given).data
  if (!found) return null
  if (found.const !== undefined) return found.const
  if (found.enum) return found.enum[0]
  const [choice] = found.anyOf ?? found.oneOf ?? []
  if (choice !== undefined) return toSample(choice)
  switch (found.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(found.properties ?? {}).map(([name, part]) => [name, toSample(part)]),
      )
    case 'array':
      return [toSample(found.items)]
    case 'string':
      return toText(found)
    case 'number':
    case 'integer':
      return Math.max(1, found.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return null
  }
}
