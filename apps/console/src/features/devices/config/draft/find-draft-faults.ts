import type { DeviceProfile } from '@isotherm/contract/device-profile'
import {
  configFaults,
  type FieldLine,
  fieldLine,
  type GatewayConfig,
  gatewayConfig,
} from '@isotherm/contract/gateway-config'
import { HIDDEN_SECRET, restoreSecrets, secretNames } from '@isotherm/contract/gateways/secrets'
import { type ConfigFault, resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import { type Fault, toFault } from '../../../../shared/form/faults.ts'
import { completeDraft } from './complete-draft.ts'
import { type Draft, type DraftPath, getAt, listAt } from './draft.ts'

/** What is wrong with a value of the draft: by itself, with others, or with the profile of its device. */
export type DraftFault =
  | Fault
  | { readonly kind: keyof typeof configFaults | ConfigFault['reason'] | 'no-secret' }

export interface DraftContext {
  /** The stored configuration, with hidden secrets. */
  readonly stored: GatewayConfig | null
  /** Profiles of the registry. */
  readonly profiles: readonly DeviceProfile[]
}

/** Faults by the joined path of their value. */
export type DraftFaults = ReadonlyMap<string, DraftFault>

export const toKey = (path: DraftPath): string => path.join('.')

const isConfigFault = (value: unknown): value is keyof typeof configFaults =>
  typeof value === 'string' && Object.hasOwn(configFaults, value)

/** Field that shows the fault of a device. */
const fieldOf = { 'unknown-profile': 'profile', 'wrong-driver': 'profile' } as const

/** Secrets that must be entered again: they were stored for another address, or not at all. */
function listMissing(lines: readonly Draft[], complete: readonly FieldLine[], { stored }: DraftContext) {
  const whole = gatewayConfig.safeParse({ v: 1, dtu: { port: 1 }, push: { port: 1 }, lines: complete })
  const missing = new Set(whole.success ? restoreSecrets(whole.data, stored).missing : [])
  return lines.flatMap((line, at) => {
    if (!missing.has(String(line.id))) return []
    const places = [[], ['platform']].flatMap((part) => secretNames.map((name) => [...part, name]))
    return places
      .filter((place) => getAt(line, place) === HIDDEN_SECRET)
      .map((place) => ['lines', at, ...place])
  })
}

/** Everything that is wrong with a draft. Lines that are complete are checked although others are not. */
export function findDraftFaults(entered: Draft, context: DraftContext): DraftFaults {
  const draft = completeDraft(entered)
  const faults = new Map<string, DraftFault>()
  const add = (path: DraftPath, fault: DraftFault): void => {
    if (!faults.has(toKey(path))) faults.set(toKey(path), fault)
  }
  const parsed = gatewayConfig.safeParse(draft)
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.filter((step) => typeof step !== 'symbol')
    const own: unknown = issue.code === 'custom' ? issue.params?.fault : undefined
    add(path, isConfigFault(own) ? { kind: own } : toFault(issue, getAt(draft, path)))
  }
  const lines = listAt(draft, ['lines'])
  const complete: FieldLine[] = []
  const places: number[] = []
  for (const [at, line] of lines.entries()) {
    const { data } = fieldLine.safeParse(line)
    if (data === undefined) continue
    complete.push(data)
    places.push(at)
  }
  const own = gatewayConfig.shape.profiles.safeParse(draft.profiles).data ?? []
  const resolved = resolveGatewayConfig({
    v: 1,
    meterZoneMin: 0,
    firstTimeOutMs: 3_000,
    lines: complete,
    profiles: [...context.profiles, ...own],
  })
  for (const { at, reason } of resolved.faults) {
    const field = reason === 'bad-address' || reason === 'same-address' ? 'address' : fieldOf[reason]
    add(['lines', places[at[0]] ?? 0, 'devices', at[1], field], { kind: reason })
  }
  for (const path of listMissing(lines, complete, context)) add(path, { kind: 'no-secret' })
  return faults
}

/** Number of faults at or below a path. */
export function countFaults(faults: DraftFaults, path: DraftPath): number {
  const key = toKey(path)
  return [...faults.keys()].filter((place) => place === key || place.startsWith(`${key}.`)).length
}
