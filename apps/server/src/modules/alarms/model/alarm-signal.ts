/**
 * What an `alarm_changed` signal says. `alarms`: these changed; `rules`: rules did; `silence`: one began or ended at
 * the node of a path; `everything` for a listener that may have missed something, or when more changed than a signal
 * names.
 *
 * Payloads: `ids:1,2,3`, `rules`, `silence:/1/4/`, and anything else for everything.
 */
export type AlarmSignal =
  | { readonly kind: 'alarms'; readonly ids: readonly number[] }
  | { readonly kind: 'rules' }
  | { readonly kind: 'silence'; readonly path: string }
  | { readonly kind: 'everything' }

export const RULES_CHANGED = 'rules'

/** A signal names at most so many: PostgreSQL takes payloads below 8,000 bytes. */
const MOST_IDS = 500
/** Of more alarms than these everything had better be read. */
const MOST_NAMED = 5_000

/** Payload of the signal that a silence began or ended at the node of a path. */
export const toSilencePayload = (path: string): string => `silence:${path}`

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
  const silencedPath = /^silence:(?<path>\/.*)$/.exec(payload ?? '')?.groups?.path
  if (silencedPath !== undefined) return { kind: 'silence', path: silencedPath }
  const ids = /^ids:(?<ids>\d+(?:,\d+)*)$/.exec(payload ?? '')?.groups?.ids
  return ids === undefined ? { kind: 'everything' } : { kind: 'alarms', ids: ids.split(',').map(Number) }
}
