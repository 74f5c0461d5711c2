import type { BalanceMethod } from '@isotherm/contract/balancing/balance-method'
import { type RequestedMode, requestedMode } from '@isotherm/contract/balancing/campaign'
import { mayControl } from '../may-control.ts'

/** Kinds of balance that users can start; sequences belong to strategies. */
export type StartKind = RequestedMode['kind']
type Target = Extract<RequestedMode, { kind: 'temperature' }>['target']
export const targets: readonly Target[] = ['return', 'mean', 'room']

/** Draft of the start form. A number is null while incomplete, or if optional and empty. */
export interface ModeDraft {
  readonly kind: StartKind
  readonly target: Target
  /** Method for return temperatures; other targets use the model. */
  readonly method: BalanceMethod
  readonly heatWM2: number | null
  readonly flowKgHM2: number | null
  readonly keepsPump: boolean
}

/** Default heat load if the present one is not known, W/m². */
const USUAL_HEAT_WM2 = 30

/** Initial draft with the kind of the page and the present heat load. */
export const startDraft = (kind: StartKind, heatNowWM2: number | undefined): ModeDraft => ({
  kind,
  target: 'return',
  method: 'model',
  heatWM2: heatNowWM2 !== undefined && isHeat(heatNowWM2) ? Math.round(heatNowWM2 * 10) / 10 : USUAL_HEAT_WM2,
  flowKgHM2: null,
  keepsPump: false,
})

/** Bounds of the contract (packages/contract/src/balancing/campaign.ts). */
export const heatBounds = { min: 1, max: 200 } as const
export const flowBounds = { min: 0.2, max: 20 } as const

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max
const isHeat = (value: number): boolean => isWithin(value, heatBounds)

/** Mode of a draft; undefined while a value is missing or out of bounds. */
export function findMode({
  kind,
  target,
  method,
  heatWM2,
  flowKgHM2,
  keepsPump,
}: ModeDraft): RequestedMode | undefined {
  const mode = {
    temperature: { kind, target, ...(target === 'return' && method !== 'model' && { method }) },
    energy: { kind, heatWM2 },
    flow: { kind, ...(flowKgHM2 !== null && { flowKgHM2 }) },
  }[kind]
  return requestedMode.safeParse({ ...mode, ...(keepsPump && { pump: 'keep' }) }).data
}

const kinds: readonly StartKind[] = ['temperature', 'energy', 'flow']

/** The kinds of balance a user may start. */
export const listKinds = (permitted: ReadonlySet<string>): readonly StartKind[] =>
  kinds.filter((kind) => mayControl(permitted, kind))
