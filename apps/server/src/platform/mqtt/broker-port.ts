import type { UpTopic } from '@isotherm/contract/mqtt'

/** A message a device sent, its topic already read. */
export interface UpMessage {
  readonly topic: UpTopic
  readonly payload: Buffer
}

/** What the server does with the field's messages. */
export interface FieldHandlers {
  /** Takes a message; it is acknowledged to the device only after the promise resolves, never when it rejects. */
  store(message: UpMessage): Promise<void>
  /** A device acknowledged a QoS 1 message. Not every broker tells. */
  onDelivered(topic: string, payload: Buffer): void
  /** A message, subscription or connection was refused before it reached us. */
  onRefused(reason: string): void
}

/** The way to and from the devices: the broker we embed or one that stands elsewhere. */
export interface BrokerPort {
  /** Port of the embedded broker; absent with an external one. */
  readonly port: number | undefined
  /** Whether messages can pass now. */
  isReady(): boolean
  /** Publishes to devices. Resolves when the broker has taken it. */
  publish(topic: string, payload: string, qos: 0 | 1): Promise<void>
  close(): Promise<void>
}
