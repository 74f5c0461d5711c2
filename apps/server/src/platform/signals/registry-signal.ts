/**
 * Content of a `registry_changed` signal. `devices`: these devices were added, changed or removed. `below`: subtrees with
 * their devices moved to these paths. `everything`: read all devices again.
 *
 * Payloads: `ids:1,2,3`; `below:/1/9/3/,/1/5/`; anything else, for example an empty text, means everything.
 */
export type RegistryChange =
  | { readonly kind: 'devices'; readonly ids: readonly number[] }
  | { readonly kind: 'below'; readonly paths: readonly string[] }
  | { readonly kind: 'everything' }

/** Maximum number of ids in one signal: PostgreSQL accepts payloads below 8,000 bytes. */
const MAX_IDS = 500
/** Above this number of devices it is cheaper for listeners to read everything. */
const MAX_DEVICES = 20_000
const MAX_BYTES = 7_900

/** Payloads of the signals for a change; a large change needs several. */
export function toRegistryPayloads(change: RegistryChange): readonly string[] {
  if (change.kind === 'everything') return ['']
  if (change.kind === 'below') {
    const payload = `below:${change.paths.join(',')}`
    return change.paths.length === 0 ? [] : [payload.length <= MAX_BYTES ? payload : '']
  }
  if (change.ids.length > MAX_DEVICES) return ['']
  const payloads: string[] = []
  for (let start = 0; start < change.ids.length; start += MAX_IDS) {
    payloads.push(`ids:${change.ids.slice(start, start + MAX_IDS).join(',')}`)
  }
  return payloads
}

const PAYLOAD = /^(?:ids:(?<ids>\d+(?:,\d+)*)|below:(?<paths>\/(?:\d+\/)+(?:,\/(?:\d+\/)+)*))$/

/** Parses a payload. `undefined` (the listener may have missed signals) means everything. */
export function parseRegistryPayload(payload: string | undefined): RegistryChange {
  const { ids, paths } = PAYLOAD.exec(payload ?? '')?.groups ?? {}
  if (ids !== undefined) return { kind: 'devices', ids: ids.split(',').map(Number) }
  if (paths !== undefined) return { kind: 'below', paths: paths.split(',') }
  return { kind: 'everything' }
}
