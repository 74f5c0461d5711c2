import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Everything a call may name, each with the error it gets when there is none such, or none in the caller's
 * part of the installation: a stranger cannot tell the two apart.
 */
export const referenceErrors = {
  /** Key of a tree node (tree.ts). */
  node: 'node.not-found',
  /** Key of a tree node, of which only what lies inside the grants is changed: it may lead to them. */
  'node-around': 'node.not-found',
  /** Number of a project or group. */
  group: 'node.not-found',
  /** Uuid of a sub-user. */
  'sub-user': 'node.not-found',
  /** Number of a device. */
  device: 'device.not-found',
  /** The name by which a device speaks: its serial or IMEI. */
  imei: 'device.not-found',
  'control-device': 'control-device.not-found',
  'device-group': 'device-group.not-found',
  'device-model': 'device-model.not-found',
  account: 'account.not-found',
  'account-name': 'account.not-found',
  role: 'role.not-found',
  /** Number of a role that is to be given to somebody, which does not change the role. */
  'given-role': 'role.not-found',
  'role-code': 'role-code.not-found',
  /** Code given to a role, which company staff may do with the provider's codes. */
  'given-role-code': 'role-code.not-found',
  module: 'module.not-found',
  /** Module given to a role; service code sees to it that nobody gives more than they have. */
  'given-module': 'module.not-found',
  organisation: 'organisation.not-found',
  company: 'company.not-found',
  session: 'session.not-found',
  transfer: 'transfer.not-found',
  command: 'command.not-found',
  alarm: 'alarm.not-found',
  'alarm-rule': 'alarm-rule.not-found',
  'alarm-silence': 'alarm-silence.not-found',
  'alarm-target': 'alarm-target.not-found',
  'command-batch': 'command-batch.not-found',
  hold: 'hold.not-found',
  campaign: 'campaign.not-found',
  strategy: 'strategy.not-found',
} as const satisfies Record<string, ErrorCode>

export type Reference = keyof typeof referenceErrors

const REFERS_TO = 'x-refers-to'

/**
 * Marks a part of an input that names something. The server looks every marked value up before the handler
 * runs: what does not exist or lies outside the caller's tree nodes is refused there, so that a handler cannot
 * forget it, and the tests of every endpoint know what to put in its place.
 */
export const refersTo = <Schema extends z.ZodType>(reference: Reference, schema: Schema): Schema =>
  schema.meta({ [REFERS_TO]: reference })

const marked = z.object({ [REFERS_TO]: z.string() })

function findReference(schema: z.ZodType): Reference | undefined {
  const meta = marked.safeParse(schema.meta())
  const name = meta.success ? meta.data[REFERS_TO] : undefined
  return (Object.keys(referenceErrors) as Reference[]).find((reference) => reference === name)
}

/** Where in an input a value of a kind stands: names of fields, and `*` for every item of a list. */
export interface ReferencePlace {
  readonly reference: Reference
  readonly place: readonly string[]
}

/** Every place of a schema that is marked with refersTo. */
export function listReferences(schema: z.ZodType, place: readonly string[] = []): readonly ReferencePlace[] {
  const reference = findReference(schema)
  if (reference) return [{ reference, place }]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return listReferences(toSchema(schema.unwrap()), place)
  }
  if (schema instanceof z.ZodArray) return listReferences(toSchema(schema.element), [...place, '*'])
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) =>
      listReferences(toSchema(field), [...place, name]),
    )
  }
  if (schema instanceof z.ZodUnion) {
    const all = schema.options.flatMap((option) => listReferences(toSchema(option), place))
    return all.filter(
      (one, index) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
    )
  }
  return []
}

/** zod types what it holds as its core's type; everything declared here is of the full one. */
function toSchema(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner
  throw new Error('a schema of the contract is made with zod')
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The values that stand at a place of an input. */
export function listValues(input: unknown, place: readonly string[]): readonly (string | number)[] {
  const [step, ...rest] = place
  if (step === undefined) return typeof input === 'string' || typeof input === 'number' ? [input] : []
  if (step === '*') return Array.isArray(input) ? input.flatMap((item) => listValues(item, rest)) : []
  return isRecord(input) && Object.hasOwn(input, step) ? listValues(input[step], rest) : []
}
