import { secretNames } from '@isotherm/contract/gateways/secrets'
import { z } from 'zod'

/** How a value is entered. */
type Entry =
  | { readonly kind: 'text' | 'secret' | 'number' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'object'; readonly fields: readonly FieldShape[] }
  /** One of several objects, chosen by the value of one of their fields. */
  | {
      readonly kind: 'variant'
      readonly by: string
      readonly options: ReadonlyMap<string, readonly FieldShape[]>
    }

/** A field of an object, as its schema declares it. */
export type FieldShape = Entry & {
  readonly name: string
  readonly isRequired: boolean
  /** Value that an absent field has. */
  readonly initial?: unknown
}

type Schema = z.core.$ZodType

const isSecret = (name: string): boolean => secretNames.some((secret) => secret === name)

function toEntry(name: string, schema: Schema): Entry | undefined {
  if (schema instanceof z.core.$ZodObject) return { kind: 'object', fields: describeFields(schema) }
  if (schema instanceof z.core.$ZodDiscriminatedUnion) {
    const { discriminator: by, options } = schema._zod.def
    const variants = options.flatMap((option: Schema) =>
      option instanceof z.core.$ZodObject ? [[toVariant(option, by), describeFields(option)] as const] : [],
    )
    return { kind: 'variant', by, options: new Map(variants) }
  }
  if (schema instanceof z.core.$ZodEnum)
    return { kind: 'choice', options: Object.values(schema._zod.def.entries).map(String) }
  if (schema instanceof z.core.$ZodNumber) return { kind: 'number' }
  if (schema instanceof z.core.$ZodString) return { kind: isSecret(name) ? 'secret' : 'text' }
  // Lists, and literals, which have one value.
  return undefined
}

/** The value of the field by which an object is chosen. */
function toVariant(schema: z.core.$ZodObject, by: string): string {
  const literal: Schema | undefined = schema._zod.def.shape[by]
  return literal instanceof z.core.$ZodLiteral ? String(literal._zod.def.values[0]) : ''
}

function toField(name: string, schema: Schema): FieldShape | undefined {
  if (schema instanceof z.core.$ZodDefault) {
    const field = toField(name, schema._zod.def.innerType)
    return field && { ...field, isRequired: false, initial: schema._zod.def.defaultValue }
  }
  if (schema instanceof z.core.$ZodOptional) {
    const field = toField(name, schema._zod.def.innerType)
    return field && { ...field, isRequired: false }
  }
  const entry = toEntry(name, schema)
  return entry && { ...entry, name, isRequired: true }
}

/** The fields of an object that people enter one by one, in the order of the schema. Lists are left out. */
export const describeFields = (schema: z.core.$ZodObject): readonly FieldShape[] =>
  Object.entries(schema._zod.def.shape).flatMap(([name, field]) => toField(name, field) ?? [])
