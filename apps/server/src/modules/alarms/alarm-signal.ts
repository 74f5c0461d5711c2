/**
 * What an `alarm_changed` signal says. `alarms`: these changed; `rules`: rules did; `notices`: something may have to
 * be told; `everything` for a listener that may have missed something, or when more changed than a signal names.
 *
 * Payloads: `ids:1,2,3`, `rules`, `notices`, and anything else for everything.
 */
export type AlarmSignal =
  | { readonly kind: 'alarms'; readonly ids: readonly number[] }
  | { readonly kind: 'rules' }
  | { readonly kind: 'notices' }
  | { readonly kind: 'everything' }

export const RULES_CHANGED = 'rules'
export const NOTICES_CHANGED = 'notices'

/** A signal names at most so many: PostgreSQL takes payloads below 8,000 bytes. */
const MOST_IDS = 500
/** Of more alarms than these everything had better be read. */
const MOST_NAMED = 5_000

/** Payloads of the signals that tell of changed alarms. */
export function toAlarmPayloads(ids: readonly number[]): readonly string[] {
  const named = [...new Set(ids)]
  if (named.length > MOST_NAMED) return ['']
  const payloads: string[] = []
  for (let start = 0; start < named.length; start += MOST_IDS) {
    payloads.push(`ids:${named.slice(start, start + MOST_IDS).join(',')}`)
  }
  return payloads
}

export function parseAlarmPayload(payload: string | undefined): AlarmSignal {
  if (payload === RULES_CHANGED) return { kind: 'rules' }
  if (payload === NOTICES_CHANGED) return { kind: 'notices' }
  const ids = /^ids:(?<ids>\d+(?:,\d+)*)$/.exec(payload ?? '')?.groups?.ids
  return ids === undefined ? { kind: 'everything' } : { kind: 'alarms', ids: ids.split(',').map(Number) }
}
