import type { GatewayName } from '@isotherm/contract/mqtt'
import type { Replicas } from '../replicas/owners.ts'
import type { GatewayAccess, TokenRefusal } from './gateway-access.ts'

/** A message from a gateway, as the broker delivers it. */
export interface IncomingMessage {
  readonly topic: string
  readonly payload: Uint8Array
  /** Arrival, Unix ms; absent if the broker delivers it only once, at arrival. */
  readonly receivedAt?: number
}

/** A message, subscription or connection that the embedded broker refused. */
export interface Refusal {
  readonly reason: string
  /** Topic, error text, or why a gateway may not sign in (`SignInRefusal`). */
  readonly detail: string
  /** Company and serial of its user name; empty if it has none. */
  readonly tenant: string
  readonly gateway: string
  /** User name as it was sent. */
  readonly user: string
  /** Network address of the connection. */
  readonly address: string
}

/** MQTT 5 properties of a request to a device. The body contains the same data, for MQTT 3.1.1 clients. */
export interface RequestProperties {
  /** Id of the request, repeated in the answer. */
  readonly id: string
  /** Topic of the answer. */
  readonly replyTo: string
  /** End of delivery, Unix ms. */
  readonly expiresAt: number
}

/** A sign-in with a one-time token. */
export interface TokenAttempt extends GatewayName {
  readonly token: string
  /** Version of the password that the gateway gets. */
  readonly version: number
  readonly address: string
}

/** The server's handlers of broker events. */
export interface FieldHandlers {
  /** What the registry says about a gateway that signs in to the embedded broker. */
  findAccess(gateway: GatewayName): Promise<GatewayAccess>
  /** Signs a gateway in with a one-time token, and records it; otherwise returns why not. */
  redeemToken(attempt: TokenAttempt): Promise<TokenRefusal | undefined>
  /** A gateway signed in with its password to the embedded broker: a token that it used is void. */
  onPasswordUsed(gateway: GatewayName): void
  /** Stores a message. It is acknowledged to the gateway when the promise resolves, and never if it rejects. */
  store(message: IncomingMessage): Promise<void>
  /** A device acknowledged a QoS 1 message. Not every broker reports this. */
  onDelivered(topic: string, payload: Uint8Array): void
  /** The broker refused a message, subscription or connection. */
  onRefused(refusal: Refusal): void
  /** A message of another replica of the server. */
  onReplicaMessage(body: Uint8Array): void
  /**
   * Messages of other replicas may be lost: all earlier ones after a new connection (`since` is absent), or those of one
   * replica since an instant (Unix ms) after a gap in its numbers.
   */
  onReplicaGap(since?: number): void
}

/** Certificates of the port with TLS, instants in Unix ms. */
export interface TlsState {
  readonly certificateEndsAt: number
  /** When the first revocation list ends; absent without one. */
  readonly listEndsAt?: number
  /** Whether a gateway needs a certificate. */
  readonly isCertificateRequired: boolean
}

/** Connection to the gateways: through the embedded broker or an external one. */
export interface BrokerPort {
  /** Starts to accept messages. Before, nothing can be published. */
  start(handlers: FieldHandlers): Promise<void>
  /** Whether it runs in this process. */
  readonly isEmbedded: boolean
  /** Port of the embedded broker without TLS, once it has started; undefined with an external one, or if it has none. */
  readonly port: number | undefined
  /** Its port with TLS; likewise. */
  readonly tlsPort: number | undefined
  /** Certificates of this port; absent without it. */
  readonly tls?: TlsState | undefined
  /** Connections of gateways to the embedded broker; undefined with an external one, and before it has started. */
  readonly connections?: { readonly signedIn: number; readonly pending: number } | undefined
  /** Whether messages can be sent and received now. */
  isReady(): boolean
  /** Whether a gateway is connected, so that a message to it is not lost. Absent if the broker does not report it. */
  isConnected?(gateway: GatewayName): boolean
  /** Disconnects a gateway, for example after its password was revoked. Absent if the broker is not ours. */
  disconnect?(gateway: GatewayName): void
  /** Disconnects a gateway if it signed in with a one-time token. Absent likewise. */
  disconnectToken?(gateway: GatewayName): void
  /**
   * Publishes to a gateway. Resolves when the broker has accepted the message. At QoS 1 it reaches the gateway's session,
   * also of a gateway that is offline now. Rejects if the broker is unavailable. A broker without MQTT 5 ignores `request`.
   */
  publish(topic: string, payload: string, qos: 0 | 1, request?: RequestProperties): Promise<void>
  /**
   * Sends a message to the other replicas on this broker; absent if there can be none. A replica that is offline does not
   * get it, and is notified of the gap (`onReplicaGap`).
   */
  sendToReplicas?(body: Uint8Array): void
  /** The replicas on this broker; absent if there can be no other. */
  readonly replicas?: Replicas | undefined
  /** Closes. Messages without acknowledgement are sent again by their gateways. */
  close(): Promise<void>
}
