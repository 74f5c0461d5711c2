import { createHash } from 'node:crypto'
import type { NorthboundLine } from '@isotherm/contract/gateway-config'
import type { DownlinkEnd, RadioDownlink } from '../../field/radio-line.ts'

/** A push of a platform. */
export interface Push {
  readonly method: string
  /** Parts of the path behind the id of the line. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly header: (name: string) => string
  readonly body: string
}

/** Why a push is refused. Nothing in it is used. */
export type Refusal = 'wrong-signature' | 'malformed' | 'replayed'

/** Content of a push. */
export type PlatformMessage =
  | {
      readonly kind: 'report'
      readonly platformId: string
      /** When the platform received it, Unix ms. */
      readonly at: number
      readonly values: ReadonlyMap<string, unknown>
    }
  /** A command has ended. Intermediate states, such as sent, are not reported. */
  | { readonly kind: 'end'; readonly commandId: string; readonly end: DownlinkEnd }

export type PushOutcome =
  /** `old`: number of messages that were left out because they are outside the time window of the line. */
  | { readonly kind: 'messages'; readonly messages: readonly PlatformMessage[]; readonly old?: number }
  /** The answer to a check of the address. */
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: Refusal }

/** Result of sending a command. `unknown`: the platform may or may not have received it. */
export type SendOutcome =
  | { readonly kind: 'queued'; readonly commandId: string }
  | { readonly kind: 'refused' | 'unknown'; readonly problem: string }

export interface PlatformNeeds {
  readonly line: NorthboundLine
  readonly now: () => number
}

/** Adapter of one platform: parses its pushes and builds the calls of its API. */
export interface Platform {
  readonly read: (push: Push) => PushOutcome
  /** Call that puts a command into the queue of a device. Undefined if the platform cannot express the command. */
  readonly toCall: (downlink: RadioDownlink) => Call | undefined
}

/** A call of a platform's API. */
export interface Call {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Reads the answer; undefined if it is malformed. */
  readonly read: (answer: unknown) => SendOutcome | undefined
}

export const refuse = (reason: Refusal): PushOutcome => ({ kind: 'refused', reason })

/** Maximum time by which the instant of a push may be in the future, ms: the error of clocks. */
const AHEAD_MS = 600_000

/** Whether an instant is within the time window of a line. */
export const isCurrent = (at: number, { line, now }: PlatformNeeds): boolean =>
  at > now() - 1_000 * line.maxAgeS && at < now() + AHEAD_MS

/**
 * The messages of a push without those that are too old. The push itself is not refused, because platforms stop all
 * pushes after refusals.
 */
export function withoutOld(messages: readonly PlatformMessage[], needs: PlatformNeeds): PushOutcome {
  const current = messages.filter((message) => message.kind === 'end' || isCurrent(message.at, needs))
  return { kind: 'messages', messages: current, old: messages.length - current.length }
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** First four bytes of a checksum as a number: distinguishes the messages of a device at one instant. */
export const toSequence = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

/**
 * Splits the name of a target at the platform: object, instance and resource of LwM2M (`3306_0_5851`), or service,
 * command and parameter (`valve.set.opening`).
 */
export const splitTarget = (
  target: string,
  sign: '_' | '.',
): readonly [string, string, string] | undefined => {
  const [first, second, third, ...rest] = target.split(sign)
  if (first === undefined || second === undefined || third === undefined || rest.length > 0) return undefined
  return [first, second, third]
}
