import { z } from 'zod'

/** The used part of a JSON Schema. */
interface FieldSchema {
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: FieldSchema
}

const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z.object({
    type: z.string().exactOptional(),
    description: z.string().exactOptional(),
    const: z.unknown().exactOptional(),
    enum: z.array(z.unknown()).exactOptional(),
    minimum: z.number().exactOptional(),
    exclusiveMinimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    minLength: z.number().exactOptional(),
    maxLength: z.number().exactOptional(),
    minItems: z.number().exactOptional(),
    maxItems: z.number().exactOptional(),
    pattern: z.string().exactOptional(),
    items: fieldSchema.exactOptional(),
    properties: z.record(z.string(), fieldSchema).exactOptional(),
    required: z.array(z.string()).exactOptional(),
    additionalProperties: fieldSchema.exactOptional(),
  }),
)

/** A row of the table of a message: field, type with range, whether it is obligatory, meaning with unit. */
export type FieldRow = readonly [name: string, type: string, obligatory: string, meaning: string]

const UNBOUNDED = Number.MAX_SAFE_INTEGER

function toNumberText({ type, minimum, exclusiveMinimum, maximum }: FieldSchema): string {
  const name = type === 'integer' ? 'integer' : 'number'
  const isOpen = maximum === undefined || maximum >= UNBOUNDED
  if (exclusiveMinimum !== undefined)
    return isOpen ? `${name} > ${exclusiveMinimum}` : `${name}, at most ${maximum}`
  if (minimum === undefined) return name
  return isOpen ? `${name} >= ${minimum}` : `${name}, ${minimum} to ${maximum}`
}

function toTypeText(schema: FieldSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  const { type, minLength, maxLength, minItems, maxItems } = schema
  if (type === 'number' || type === 'integer') return toNumberText(schema)
  if (type === 'array') return `list of ${minItems ?? 0} to ${maxItems} objects`
  if (type === 'object') return schema.additionalProperties ? 'object of numbers' : 'object'
  if (type === 'string' && schema.pattern !== undefined) return 'text of hexadecimal digits, an even number'
  if (type === 'string') return `text of ${minLength ?? 0} to ${maxLength} characters`
  return type ?? ''
}

function listRows(schema: FieldSchema, prefix: string): readonly FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const obligatory = schema.required?.includes(name) ? 'yes' : 'no'
    const row: FieldRow = [`\`${path}\``, toTypeText(field), obligatory, field.description ?? '']
    return [row, ...listRows(field, `${path}.`), ...(field.items ? listRows(field.items, `${path}[].`) : [])]
  })
}

/** The fields of a message as its sender writes it, nested ones by their path. */
export const toFieldRows = (schema: z.ZodType): readonly FieldRow[] =>
  listRows(fieldSchema.parse(z.toJSONSchema(schema, { io: 'input' })), '')
