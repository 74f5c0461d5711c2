import type { ReadingMessage } from './sample.ts'

/** The key of a message: device id of the gateway that sent it, boot counter and sequence number. */
export interface StoredMessage {
  readonly node: number
  readonly boot: number
  readonly seq: number
}

/** The key of a message as text, unique across all gateways. */
export const toMessageKey = (message: Pick<ReadingMessage, 'node' | 'boot' | 'seq'>): string =>
  `${message.node}:${message.boot}:${message.seq}`

/** Consecutive messages of one boot of a gateway, both ends included. */
export interface StoredRun {
  readonly node: number
  readonly boot: number
  readonly from: number
  readonly to: number
}

export const toRun = ({ node, boot, seq }: StoredMessage): StoredRun => ({ node, boot, from: seq, to: seq })
