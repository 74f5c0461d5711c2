/** A published source, as its readers quote it in each language. */
export interface Source {
  readonly zh: string
  readonly en: string
}

/** An index: its unit, its formula (symbols: docs/domain/formulas.md), and its source if one is published. */
export interface IndexMeaning {
  readonly unit: string
  readonly formula: string
  readonly source: Source | undefined
}

const meaning = (unit: string, formula: string, source?: Source): IndexMeaning => ({ unit, formula, source })

/** Every index, in the order in which a page shows them. */
export const indexMeanings = {
  sigmaReturnK: meaning('K', 'σ = √(Σ Aᵢ·(eᵢ − ē)²/Σ Aᵢ), eᵢ = T_r,i − (T* + bᵢ)'),
  sigmaReturnPerDrop: meaning('%', 'σ/ΔT̄, ΔT̄ = Σ Aᵢ·(T_s,i − T_r,i)/Σ Aᵢ'),
  spreadReturnK: meaning('K', 'P95(eᵢ) − P5(eᵢ)'),
  withinOneK: meaning('%', 'n(|eᵢ − ē| ≤ 1 K)/n'),
  withinHalfK: meaning('%', 'n(|eᵢ − ē| ≤ 0.5 K)/n'),
  sigmaRoomK: meaning('K', 'σ = √(Σ (T_j − T̄)²/n)'),
  under18: meaning('%', 'n(T_j < 18 °C)/n'),
  over22: meaning('%', 'n(T_j > 22 °C)/n'),
  over24: meaning('%', 'n(T_j > 24 °C)/n'),
  minImbalance: meaning('1', 'min xᵢ, xᵢ = ṁᵢ/ṁ*ᵢ'),
  maxImbalance: meaning('1', 'max xᵢ, xᵢ = ṁᵢ/ṁ*ᵢ'),
  balanceDegreePass: meaning('%', 'n(0.9 ≤ xᵢ·Σṁ*/Σṁ ≤ 1.2)/n', {
    zh: 'JGJ/T 132-2009、GB 50411-2019',
    en: 'JGJ/T 132-2009, GB 50411-2019',
  }),
  flowBalance: meaning('1', '1 − G(xᵢ), G = 2·Σ i·xᵢ/(n·Σ xᵢ) − (n + 1)/n', {
    zh: 'Buildings 2026, 16(5) 1068',
    en: 'Buildings 2026, 16(5) 1068',
  }),
  heatIntensityVariation: meaning('%', 'σ(qᵢ)/q̄, qᵢ = Qᵢ/Aᵢ'),
  hydraulicStability: meaning('1', 'y = √(1 − Δp̃_path/H)'),
  totalFlowKgS: meaning('kg/s', 'ΣG = Σṁᵢ'),
  dropK: meaning('K', 'ΔT = T_s − T_r'),
  headPa: meaning('Pa', 'H = p_s − p_r'),
  pumpW: meaning('W', 'P = H·ΣG/(ρ·η)'),
  pumpMonthKWhM2: meaning('kWh/m²', 'P·730 h/ΣA', {
    zh: '基准值 0.29，Energy & Buildings 2020',
    en: 'benchmark 0.29, Energy & Buildings 2020',
  }),
  heatWM2: meaning('W/m²', 'q̄ = ΣQᵢ/ΣAᵢ'),
  heatWM2K: meaning('W/(m²·K)', 'q̄/(T̄_i − T_o)'),
  loopPressureDifference: meaning('%', 'max |Δpᵢ − Δp̄|/Δp̄, Δpᵢ = Δp_path,i(ṁ*) + (H − Δp_path,i)·(ṁ*ᵢ/ṁᵢ)²', {
    zh: 'GB 50736-2012：不大于 15%',
    en: 'GB 50736-2012: at most 15%',
  }),
  movesPerValveDay: meaning('1/d', 'n_moves/(N·days)'),
  movesPerValve: meaning('1', 'n_moves/N'),
  travelPerValve: meaning('strokes', 'Σ|Δu|/N'),
  hoursToBalance: meaning('h', 't_verified − t_approved'),
  excludedShare: meaning('%', 'n_excl/n'),
  saturatedShare: meaning('%', 'n(u ≥ 0.98 ∨ u ≤ u_min)/n'),
  notMeasuredShare: meaning('%', '1 − n(T_r,i)/n'),
} as const satisfies Record<string, IndexMeaning>

export type IndexName = keyof typeof indexMeanings
/** Computed from the instants of a campaign, not from readings of a loop. */
export type CampaignIndexName = 'hoursToBalance'
