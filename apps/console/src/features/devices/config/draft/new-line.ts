import type { FieldLine } from '@isotherm/contract/gateway-config'
import { type Draft, listAt, setAt, toText } from './draft.ts'

/** Ports that the listeners of a gateway usually have. */
const USUAL_PORTS = { dtu: 9_000, push: 9_001 } as const

/** A listener that lines of a driver need. */
export const listenerOf: Readonly<Partial<Record<FieldLine['driver'], 'dtu' | 'push'>>> = {
  'dtu-tcp': 'dtu',
  'northbound-http': 'push',
}

/** The wanted id with forbidden characters replaced, or `line-N` if that id is empty or another line has it. */
function toFreeId(lines: readonly Draft[], wanted: string): string {
  const ids = new Set(lines.map(({ id }) => toText(id)))
  const own = wanted.replace(/[^A-Za-z0-9_.-]/g, '-')
  if (own !== '' && !ids.has(own)) return own
  let number = lines.length + 1
  while (ids.has(`line-${number}`)) number++
  return `line-${number}`
}

/** Adds a line at the end of the draft, and the listener that it needs. A DTU line gets its registration as its id. */
export function addLine(draft: Draft, driver: FieldLine['driver'], given: Draft = {}): Draft {
  const lines = listAt(draft, ['lines'])
  const line = { driver, id: toFreeId(lines, toText(given.registration)), ...given, devices: [] }
  const added = setAt(draft, ['lines'], [...lines, line])
  const listener = listenerOf[driver]
  if (listener === undefined || draft[listener] !== undefined) return added
  return setAt(added, [listener], { port: USUAL_PORTS[listener] })
}
