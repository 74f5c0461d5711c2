import type { ReadOutcome } from '@isotherm/contract/endpoints/devices/read-requests'
import { type ReplyMessage, replyCodes } from '@isotherm/contract/mqtt'
import type { ReadAnswer, ReadRequestRow } from './read-requests.pg.ts'

const outcomes: ReadonlyMap<number, ReadOutcome> = new Map([
  [replyCodes.ok, 'answered'],
  [replyCodes.badArguments, 'unsupported'],
  [replyCodes.unsupported, 'unsupported'],
  [replyCodes.noSuchChild, 'unknown-device'],
  [replyCodes.busTimeout, 'device-silent'],
])

/** State or result of a request at `now`, Unix ms. */
export function toReadOutcome(
  request: Pick<ReadRequestRow, 'is_sent' | 'accepted_ms' | 'ended_ms' | 'expires_ms' | 'code'>,
  now: number,
): ReadOutcome {
  if (!request.is_sent) return 'gateway-offline'
  if (request.ended_ms !== null) return outcomes.get(request.code ?? replyCodes.ok) ?? 'failed'
  if (now < request.expires_ms) return 'waiting'
  return request.accepted_ms === null ? 'gateway-silent' : 'device-silent'
}

/** Content of a reply that arrives at `now`, Unix ms. `accepted` with a code is a refusal, which ends the request. */
export function toReadAnswer({ stage, code, msg = '' }: ReplyMessage, now: number): ReadAnswer {
  const isEnd = stage === 'done' || code !== replyCodes.ok
  // PostgreSQL can store neither NUL nor lone surrogates.
  const detail = msg.replaceAll('\u0000', '').toWellFormed()
  return { accepted_ms: now, ended_ms: isEnd ? now : null, code, detail }
}
