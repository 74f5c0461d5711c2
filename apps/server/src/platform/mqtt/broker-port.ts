/** A message from the field, as the broker hands it over. */
export interface IncomingMessage {
  readonly topic: string
  readonly payload: Uint8Array
  /** When it arrived, Unix ms; absent where it is handed over once, as it arrives. */
  readonly receivedAt?: number
}

/** Something the embedded broker turned away; the client, if it had signed in, is named. */
export interface Refusal {
  readonly reason: string
  /** What it was about: a topic, an error's text. */
  readonly detail: string
  readonly node: string
}

/** What a request to a device says beside its body to who speaks MQTT 5; the body carries all of it too. */
export interface RequestProperties {
  /** Names the request in its answer. */
  readonly id: string
  /** Topic of the answer. */
  readonly replyTo: string
  /** When it is no longer to be delivered, Unix ms. */
  readonly expiresAt: number
}

/** What the server does with the field's messages. */
export interface FieldHandlers {
  /** Takes a message; it is acknowledged to the device only after the promise resolves, never when it rejects. */
  store(message: IncomingMessage): Promise<void>
  /** A device acknowledged a QoS 1 message. Not every broker tells. */
  onDelivered(topic: string, payload: Uint8Array): void
  /** A message, subscription or connection was refused before it reached us. */
  onRefused(refusal: Refusal): void
  /** Another replica of the server told something. */
  onTold(body: Uint8Array): void
  /**
   * What others told may not have arrived: all of it with every new connection, and of one of them since an instant
   * (Unix ms) when something was lost between two.
   */
  onMissed(since?: number): void
}

/** The way to and from the devices: the broker we embed or one that stands elsewhere. */
export interface BrokerPort {
  /** Begins to take messages; before it, nothing can be published. */
  start(handlers: FieldHandlers): Promise<void>
  /** Port of the embedded broker, once it has started; absent with an external one. */
  readonly port: number | undefined
  /** Whether messages can pass now. */
  isReady(): boolean
  /** Whether a node is connected now, so that what is published to it is not lost. Not every broker tells. */
  isConnected?(node: string): boolean
  /**
   * Publishes to devices. Resolves when the broker has taken it: at QoS 1 it reaches the device's session,
   * also one that is offline now. Rejects when the broker is away. A broker without MQTT 5 leaves `request` out.
   */
  publish(topic: string, payload: string, qos: 0 | 1, request?: RequestProperties): Promise<void>
  /**
   * Tells the other replicas that share this broker; absent where there can be none. Nobody keeps it for one that is
   * away: that one is told that it missed something.
   */
  tell?(body: Uint8Array): void
  /** What was not acknowledged yet stays so and is sent again by its device. */
  close(): Promise<void>
}
