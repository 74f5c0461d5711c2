import {
  birthMessage,
  MAX_MESSAGE_BYTES,
  rawMessage,
  replyMessage,
  telemetryMessage,
  type UpChannel,
  unregisteredMessage,
} from '@isotherm/contract/mqtt'
import type { IConnectPacket } from 'mqtt-packet'
import type { z } from 'zod'

const schemas = {
  birth: birthMessage,
  telemetry: telemetryMessage,
  history: telemetryMessage,
  event: telemetryMessage,
  reply: replyMessage,
  raw: rawMessage,
  unregistered: unregisteredMessage,
} as const satisfies Readonly<Record<UpChannel, z.ZodType>>

export type ReadMessage<Schema extends z.ZodType> =
  | { readonly kind: 'message'; readonly body: z.infer<Schema> }
  | { readonly kind: 'problem'; readonly problem: string }

/** Reads a payload by a schema, or says in words what is wrong with it. */
export function readBySchema<Schema extends z.ZodType>(
  schema: Schema,
  payload: Uint8Array,
): ReadMessage<Schema> {
  if (payload.byteLength > MAX_MESSAGE_BYTES)
    return { kind: 'problem', problem: `${payload.byteLength} bytes, more than ${MAX_MESSAGE_BYTES}` }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return { kind: 'problem', problem: 'no JSON in UTF-8' }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { kind: 'message', body: parsed.data }
  const [issue] = parsed.error.issues
  return { kind: 'problem', problem: `field "${issue?.path.join('.') ?? ''}": ${issue?.message}` }
}

/** What is wrong with a message of a channel; undefined if nothing is. Frames may be plain bytes. */
export function findProblem(channel: UpChannel, payload: Uint8Array): string | undefined {
  const read = readBySchema(schemas[channel], payload)
  const isPlain = channel === 'raw' && payload[0] !== '{'.charCodeAt(0)
  return read.kind === 'message' || isPlain ? undefined : read.problem
}

/** What is wrong with a will; undefined if nothing is. */
export function readWill(will: IConnectPacket['will'], topic: string): string | undefined {
  if (!will) return 'there is none'
  if (will.topic !== topic) return `its topic is "${will.topic}"`
  if (will.qos !== 1 || will.retain !== true) return 'it is not at QoS 1, or not retained'
  const read = readBySchema(birthMessage, Buffer.from(will.payload))
  if (read.kind === 'problem') return read.problem
  return read.body.online ? 'it says online: true' : undefined
}
