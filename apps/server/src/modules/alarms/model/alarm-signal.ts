/**
 * Content of an `alarm_changed` signal. `alarms`: these alarms changed. `rules`: rules changed. `silence`: a silence started
 * or ended at the node of a path. `everything`: the listener may have missed signals, or too many alarms changed.
 *
 * Payloads: `ids:1,2,3`; `rules`; `silence:/1/4/`; anything else means everything.
 */
export type AlarmSignal =
  | { readonly kind: 'alarms'; readonly ids: readonly number[] }
  | { readonly kind: 'rules' }
  | { readonly kind: 'silence'; readonly path: string }
  | { readonly kind: 'everything' }

export const RULES_CHANGED = 'rules'

/** Maximum number of ids in one signal: PostgreSQL accepts payloads below 8,000 bytes. */
const MAX_IDS = 500
/** Above this number of alarms it is cheaper to read everything. */
const MAX_ALARMS = 5_000

/** Payload for a silence that started or ended at the node of a path. */
export const toSilencePayload = (path: string): string => `silence:${path}`

/** Payloads of the signals for changed alarms. */
export function toAlarmPayloads(ids: readonly number[]): readonly string[] {
  const unique = [...new Set(ids)]
  if (unique.length > MAX_ALARMS) return ['']
  const payloads: string[] = []
  for (let start = 0; start < unique.length; start += MAX_IDS) {
    payloads.push(`ids:${unique.slice(start, start + MAX_IDS).join(',')}`)
  }
  return payloads
}

/** Parses a payload; undefined (the listener may have missed signals) means everything. */
export function parseAlarmPayload(payload: string | undefined): AlarmSignal {
  if (payload === RULES_CHANGED) return { kind: 'rules' }
  const silencedPath = /^silence:(?<path>\/.*)$/.exec(payload ?? '')?.groups?.path
  if (silencedPath !== undefined) return { kind: 'silence', path: silencedPath }
  const ids = /^ids:(?<ids>\d+(?:,\d+)*)$/.exec(payload ?? '')?.groups?.ids
  return ids === undefined ? { kind: 'everything' } : { kind: 'alarms', ids: ids.split(',').map(Number) }
}
