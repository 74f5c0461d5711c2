import { z } from 'zod'
import type { StoredMessage } from '../messages/message-key.ts'
import type { ClockEvent } from '../quality/gateway-clocks.ts'

/** Messages between replicas (ADR 30). */
export type ReplicaMessage =
  /** Readings that were stored, in the format of row-binary.ts. */
  | { readonly kind: 'readings'; readonly rows: Uint8Array }
  /** Judgements of gateway clocks. */
  | { readonly kind: 'clocks'; readonly clocks: readonly ClockEvent[] }
  /** A reading message that was refused as a whole or in part. It is done. */
  | { readonly kind: 'refused'; readonly message: StoredMessage }
  /** A message of raw frames that is durable. */
  | { readonly kind: 'frames'; readonly message: StoredMessage }
  /** Request for the clocks that are not right or became so recently, after messages may have been lost. */
  | { readonly kind: 'which-clocks' }

/** The first byte of a message is its kind. */
const kinds = { readings: 0, clocks: 1, 'which-clocks': 2, refused: 3, frames: 4 } as const

const ofMessages = ['refused', 'frames'] as const

/** The gateway is `nodeId` here, as in earlier versions: replicas of both exchange messages during an upgrade. */
const clockEvent = z.object({
  nodeId: z.number().int(),
  state: z.enum(['right', 'off', 'wrong']),
  correctionMs: z.number(),
  offsetMs: z.number(),
  judgedAt: z.number(),
})

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

function toBody(message: ReplicaMessage): Uint8Array {
  if (message.kind === 'readings') return message.rows
  if (message.kind === 'which-clocks') return new Uint8Array()
  if (message.kind === 'clocks')
    return toJson(message.clocks.map(({ gatewayId, ...judgement }) => ({ nodeId: gatewayId, ...judgement })))
  const { gatewayId, boot, seq } = message.message
  return toJson({ node: gatewayId, boot, seq })
}

export const encodeReplicaMessage = (message: ReplicaMessage): Buffer =>
  Buffer.concat([Buffer.from([kinds[message.kind]]), toBody(message)])

const storedMessage = z.object({ node: z.number().int(), boot: z.number().int(), seq: z.number().int() })

function parse<Schema extends z.ZodType>(schema: Schema, body: Uint8Array): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(body).toString())).data
  } catch {
    return undefined
  }
}

/** Undefined for a malformed message, or one of another version. */
export function decodeReplicaMessage(bytes: Uint8Array): ReplicaMessage | undefined {
  const body = bytes.subarray(1)
  if (bytes[0] === kinds.readings) return { kind: 'readings', rows: body }
  if (bytes[0] === kinds['which-clocks']) return { kind: 'which-clocks' }
  if (bytes[0] === kinds.clocks) {
    const clocks = parse(z.array(clockEvent), body)
    return (
      clocks && {
        kind: 'clocks',
        clocks: clocks.map(({ nodeId, ...judgement }) => ({ gatewayId: nodeId, ...judgement })),
      }
    )
  }
  const kind = ofMessages.find((candidate) => kinds[candidate] === bytes[0])
  const message = kind && parse(storedMessage, body)
  if (!kind || !message) return undefined
  const { node, boot, seq } = message
  return { kind, message: { gatewayId: node, boot, seq } }
}
