import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Everything that a call can name, with the error for a name that does not exist or is outside the caller's access: the two
 * cases give the same error, so that a caller cannot tell them apart.
 */
export const referenceErrors = {
  /** Key of a tree node (tree.ts). */
  node: 'node.not-found',
  /** Key of a tree node that can be above the caller's grants: only the granted part is changed. */
  'node-around': 'node.not-found',
  /** Number of a project or group. */
  group: 'node.not-found',
  /** Uuid of a sub-user. */
  'sub-user': 'node.not-found',
  /** Number of a device. */
  device: 'device.not-found',
  /** Name of a device in MQTT messages: its serial or IMEI. */
  imei: 'device.not-found',
  'control-device': 'control-device.not-found',
  'device-group': 'device-group.not-found',
  'device-model': 'device-model.not-found',
  'device-profile': 'device-profile.not-found',
  /** A device that was received and is not registered. */
  'unregistered-device': 'unregistered-device.not-found',
  account: 'account.not-found',
  'account-name': 'account.not-found',
  role: 'role.not-found',
  /** Number of a role to be given to an account; the role itself does not change. */
  'given-role': 'role.not-found',
  'role-code': 'role-code.not-found',
  /** Code to be given to a role; staff of a company can use the provider's codes. */
  'given-role-code': 'role-code.not-found',
  module: 'module.not-found',
  /** Module to be given to a role; the service ensures that nobody gives more than they have. */
  'given-module': 'module.not-found',
  organisation: 'organisation.not-found',
  company: 'company.not-found',
  session: 'session.not-found',
  'api-key': 'api-key.not-found',
  transfer: 'transfer.not-found',
  command: 'command.not-found',
  alarm: 'alarm.not-found',
  'alarm-rule': 'alarm-rule.not-found',
  'alarm-silence': 'alarm-silence.not-found',
  'alarm-target': 'alarm-target.not-found',
  'command-batch': 'command-batch.not-found',
  hold: 'hold.not-found',
  'valve-exercise': 'exercise.not-found',
  campaign: 'campaign.not-found',
  strategy: 'strategy.not-found',
  'irrigation-source': 'irrigation.not-found',
  'irrigation-group': 'irrigation.not-found',
  'irrigation-program': 'irrigation.not-found',
  'irrigation-run': 'irrigation.not-found',
} as const satisfies Record<string, ErrorCode>

export type Reference = keyof typeof referenceErrors

const REFERS_TO = 'x-refers-to'

/**
 * Marks a part of an input that names something. The server looks up every marked value before the handler runs and refuses
 * values that do not exist or are outside the caller's access. So no handler can forget the check, and the tests of all
 * endpoints know what to insert.
 */
export const refersTo = <Schema extends z.ZodType>(reference: Reference, schema: Schema): Schema =>
  schema.meta({ [REFERS_TO]: reference })

const marked = z.object({ [REFERS_TO]: z.string() })

function findReference(schema: z.ZodType): Reference | undefined {
  const meta = marked.safeParse(schema.meta())
  const name = meta.success ? meta.data[REFERS_TO] : undefined
  return (Object.keys(referenceErrors) as Reference[]).find((reference) => reference === name)
}

/** Path of a marked value in an input: names of fields, and `*` for every item of a list. */
export interface ReferencePlace {
  readonly reference: Reference
  readonly place: readonly string[]
}

/** Paths of all values of a schema that are marked with refersTo. */
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

/** zod types nested schemas as its core type; all schemas declared here have the full type. */
function toSchema(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner
  throw new Error('schemas of the contract must be created with zod')
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The values at a path of an input. */
export function listValues(input: unknown, place: readonly string[]): readonly (string | number)[] {
  const [step, ...rest] = place
  if (step === undefined) return typeof input === 'string' || typeof input === 'number' ? [input] : []
  if (step === '*') return Array.isArray(input) ? input.flatMap((item) => listValues(item, rest)) : []
  return isRecord(input) && Object.hasOwn(input, step) ? listValues(input[step], rest) : []
}
