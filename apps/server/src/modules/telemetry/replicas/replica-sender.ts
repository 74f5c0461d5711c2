import type { StoredMessage } from '../messages/message-key.ts'
import { encodeRows } from '../messages/row-binary.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import type { ClockEvent } from '../quality/gateway-clocks.ts'
import { encodeReplicaMessage } from './replica-messages.ts'

/** Sends the knowledge of this replica to the others (ADR 30). Does nothing if there can be only one. */
export interface ReplicaSender {
  /** Readings that this server stored. */
  sendReadings(messages: readonly ReadingMessage[]): void
  /** How the clocks of gateways were judged. */
  sendClocks(clocks: readonly ClockEvent[]): void
  /** A message that this server refused as a whole or in part. */
  sendRefused(message: StoredMessage): void
  /** A message of raw frames that is durable. */
  sendFrames(message: StoredMessage): void
  /** Asks the others for the clocks they judged. */
  requestClocks(): void
  /** Shows the others that this server lives (platform/replicas/owners.ts). */
  sendAlive(): void
}

/** Rows of one packet: some 180 kB. */
const ROWS_PER_PACKET = 4_000
const CLOCKS_PER_PACKET = 1_000

/** Messages in packets of at most ROWS_PER_PACKET rows; a larger message is a packet of its own. */
function* toPackets(messages: readonly ReadingMessage[]): Generator<readonly ReadingMessage[]> {
  let packet: ReadingMessage[] = []
  let rows = 0
  for (const message of messages) {
    if (packet.length > 0 && rows + message.rows > ROWS_PER_PACKET) {
      yield packet
      packet = []
      rows = 0
    }
    packet.push(message)
    rows += message.rows
  }
  if (packet.length > 0) yield packet
}

/** `send` is undefined if there can be no other replica. */
export function createReplicaSender(send: ((body: Uint8Array) => void) | undefined): ReplicaSender {
  return {
    sendReadings(messages) {
      if (!send) return
      for (const packet of toPackets(messages))
        send(encodeReplicaMessage({ kind: 'readings', rows: encodeRows(packet) }))
    },
    sendClocks(clocks) {
      for (let start = 0; start < clocks.length; start += CLOCKS_PER_PACKET) {
        const packet = clocks.slice(start, start + CLOCKS_PER_PACKET)
        send?.(encodeReplicaMessage({ kind: 'clocks', clocks: packet }))
      }
    },
    sendRefused: (message) => send?.(encodeReplicaMessage({ kind: 'refused', message })),
    sendFrames: (message) => send?.(encodeReplicaMessage({ kind: 'frames', message })),
    requestClocks: () => send?.(encodeReplicaMessage({ kind: 'which-clocks' })),
    // No clocks: a message without effect, which also servers of earlier versions know.
    sendAlive: () => send?.(encodeReplicaMessage({ kind: 'clocks', clocks: [] })),
  }
}
