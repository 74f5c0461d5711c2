/** Readings and frames are numbered apart. */
export type MessageKind = 'readings' | 'frames'

/** The key of a message: device id of the gateway that sent it, boot counter and sequence number. */
export interface StoredMessage {
  readonly gatewayId: number
  readonly boot: number
  readonly seq: number
}

/** The key of a message as text, unique across all gateways. */
export const toMessageKey = ({ gatewayId, boot, seq }: StoredMessage): string => `${gatewayId}:${boot}:${seq}`

/** Consecutive messages of one boot of a gateway, both ends included. */
export interface StoredRun {
  readonly gatewayId: number
  readonly boot: number
  readonly from: number
  readonly to: number
}

export const toRun = ({ gatewayId, boot, seq }: StoredMessage): StoredRun => ({
  gatewayId,
  boot,
  from: seq,
  to: seq,
})

/** Gateway of readings that were imported from files: no device has this id. Their `boot` is the import. */
export const FROM_FILES = 0
