/**
 * What a `registry_changed` signal says of the devices. `devices`: these were added, changed or removed.
 * `below`: a subtree of nodes moved to this path, and the devices on it with it. `everything`: read all anew.
 *
 * Payloads: `ids:1,2,3`, `below:/1/9/3/,/1/5/`, and anything else, such as the empty one, for everything.
 */
export type RegistryChange =
  | { readonly kind: 'devices'; readonly ids: readonly number[] }
  | { readonly kind: 'below'; readonly paths: readonly string[] }
  | { readonly kind: 'everything' }

/** A signal names at most so many devices: PostgreSQL takes payloads below 8,000 bytes. */
const MOST_IDS = 500
/** Of more devices than these the listeners had better read everything. */
const MOST_NAMED = 20_000
const MOST_BYTES = 7_900

/** Payloads of the signals that tell of a change; one change may take several. */
export function toRegistryPayloads(change: RegistryChange): readonly string[] {
  if (change.kind === 'everything') return ['']
  if (change.kind === 'below') {
    const payload = `below:${change.paths.join(',')}`
    return change.paths.length === 0 ? [] : [payload.length <= MOST_BYTES ? payload : '']
  }
  if (change.ids.length > MOST_NAMED) return ['']
  const payloads: string[] = []
  for (let start = 0; start < change.ids.length; start += MOST_IDS) {
    payloads.push(`ids:${change.ids.slice(start, start + MOST_IDS).join(',')}`)
  }
  return payloads
}

const PAYLOAD = /^(?:ids:(?<ids>\d+(?:,\d+)*)|below:(?<paths>\/(?:\d+\/)+(?:,\/(?:\d+\/)+)*))$/

/** What a payload says; everything for a listener that may have missed something (`undefined`). */
export function parseRegistryPayload(payload: string | undefined): RegistryChange {
  const { ids, paths } = PAYLOAD.exec(payload ?? '')?.groups ?? {}
  if (ids !== undefined) return { kind: 'devices', ids: ids.split(',').map(Number) }
  if (paths !== undefined) return { kind: 'below', paths: paths.split(',') }
  return { kind: 'everything' }
}
