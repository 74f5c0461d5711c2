import type { BalanceMethod } from '@isotherm/contract/balancing/balance-method'
import { type AskedMode, askedMode } from '@isotherm/contract/balancing/campaign'
import { mayControl } from '../may-control.ts'

/** Kinds of balance that people start; slots of a sequence are a strategy's. */
export type AskedKind = AskedMode['kind']
type Target = Extract<AskedMode, { kind: 'temperature' }>['target']
export const targets: readonly Target[] = ['return', 'mean', 'room']

/** What stands in the form of a new balance; a number is absent while it is typed, or where it may be left out. */
export interface ModeDraft {
  readonly kind: AskedKind
  readonly target: Target
  /** Of returns; other temperatures are balanced by the model. */
  readonly method: BalanceMethod
  readonly heatWM2: number | null
  readonly flowKgHM2: number | null
}

/** Heat for each m² where the present one is not known, W/m². */
const USUAL_HEAT_WM2 = 30

/** A new form: what the page makes equal, and the heat there is now. */
export const startDraft = (kind: AskedKind, heatNowWM2: number | undefined): ModeDraft => ({
  kind,
  target: 'return',
  method: 'model',
  heatWM2: heatNowWM2 !== undefined && isHeat(heatNowWM2) ? Math.round(heatNowWM2 * 10) / 10 : USUAL_HEAT_WM2,
  flowKgHM2: null,
})

/** Bounds of the contract (packages/contract/src/balancing/campaign.ts). */
export const heatBounds = { min: 1, max: 200 } as const
export const flowBounds = { min: 0.2, max: 20 } as const

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max
const isHeat = (value: number): boolean => isWithin(value, heatBounds)

/** The mode a form stands for; undefined while something in it is missing or out of bounds. */
export function findMode({ kind, target, method, heatWM2, flowKgHM2 }: ModeDraft): AskedMode | undefined {
  const made = {
    temperature: { kind, target, ...(target === 'return' && method !== 'model' && { method }) },
    energy: { kind, heatWM2 },
    flow: { kind, ...(flowKgHM2 !== null && { flowKgHM2 }) },
  }[kind]
  return askedMode.safeParse(made).data
}

const kinds: readonly AskedKind[] = ['temperature', 'energy', 'flow']

/** The kinds of balance a user may start. */
export const listKinds = (permitted: ReadonlySet<string>): readonly AskedKind[] =>
  kinds.filter((kind) => mayControl(permitted, kind))
