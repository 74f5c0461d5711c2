import { z } from 'zod'
import type { ClockNews } from './node-clocks.ts'

/** What replicas tell each other (ADR 30). */
export type ReplicaMessage =
  /** Rows that were stored, see row-binary.ts. */
  | { readonly kind: 'readings'; readonly rows: Uint8Array }
  /** What nodes' clocks were judged to be. */
  | { readonly kind: 'clocks'; readonly clocks: readonly ClockNews[] }
  /** Asks for the clocks that are not right: what was told of them may not have arrived. */
  | { readonly kind: 'which-clocks' }

/** First byte of a message. */
const kinds = { readings: 0, clocks: 1, 'which-clocks': 2 } as const

const clockNews = z.object({
  nodeId: z.number().int(),
  state: z.enum(['right', 'off', 'wrong']),
  correctionMs: z.number(),
  offsetMs: z.number(),
})

function toBody(message: ReplicaMessage): Uint8Array {
  if (message.kind === 'readings') return message.rows
  return message.kind === 'clocks' ? Buffer.from(JSON.stringify(message.clocks)) : new Uint8Array()
}

export const encodeNews = (message: ReplicaMessage): Buffer =>
  Buffer.concat([Buffer.from([kinds[message.kind]]), toBody(message)])

function parseClocks(body: Uint8Array): readonly ClockNews[] | undefined {
  try {
    return z.array(clockNews).safeParse(JSON.parse(Buffer.from(body).toString())).data
  } catch {
    return undefined
  }
}

/** Undefined for what this version does not know. */
export function decodeNews(bytes: Uint8Array): ReplicaMessage | undefined {
  const body = bytes.subarray(1)
  if (bytes[0] === kinds.readings) return { kind: 'readings', rows: body }
  if (bytes[0] === kinds['which-clocks']) return { kind: 'which-clocks' }
  const clocks = bytes[0] === kinds.clocks ? parseClocks(body) : undefined
  return clocks && { kind: 'clocks', clocks }
}
