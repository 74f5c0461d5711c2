/** An index for the console: its formula in symbols, its unit, the key of its explanation, and where it comes from. */
export interface IndexMeaning {
  readonly unit: string
  readonly formula: string
  readonly textKey: string
  readonly source: string
}

const KPI = 'balancing KPI set'
const meaning = (name: string, unit: string, formula: string, source = KPI): IndexMeaning => ({
  unit,
  formula,
  textKey: `balancing.index.${name}`,
  source,
})

/** Every index, in the order in which a page shows them. */
export const indexMeanings = {
  sigmaReturnK: meaning('sigmaReturnK', 'K', 'σ = √(Σ Aᵢ·(eᵢ − ē)²/Σ Aᵢ), eᵢ = T_r,i − (T* + bᵢ)'),
  spreadReturnK: meaning('spreadReturnK', 'K', 'P95(eᵢ) − P5(eᵢ)'),
  withinOneK: meaning('withinOneK', '%', 'n(|eᵢ − ē| ≤ 1 K)/n'),
  withinHalfK: meaning('withinHalfK', '%', 'n(|eᵢ − ē| ≤ 0.5 K)/n'),
  sigmaRoomK: meaning('sigmaRoomK', 'K', 'σ = √(Σ (T_j − T̄)²/n)'),
  under18: meaning('under18', '%', 'n(T_j < 18 °C)/n', 'heating ordinances: 18 °C'),
  over22: meaning('over22', '%', 'n(T_j > 22 °C)/n'),
  over24: meaning('over24', '%', 'n(T_j > 24 °C)/n'),
  leastImbalance: meaning('leastImbalance', '1', 'min xᵢ, xᵢ = ṁᵢ/ṁ*ᵢ', 'hydraulic imbalance degree'),
  greatestImbalance: meaning('greatestImbalance', '1', 'max xᵢ, xᵢ = ṁᵢ/ṁ*ᵢ', 'hydraulic imbalance degree'),
  balanceDegreePass: meaning(
    'balanceDegreePass',
    '%',
    'n(0.9 ≤ xᵢ·Σṁ*/Σṁ ≤ 1.2)/n',
    'JGJ/T 132-2009, GB 50411-2019',
  ),
  flowBalance: meaning(
    'flowBalance',
    '1',
    '1 − G(xᵢ), G = 2·Σ i·xᵢ/(n·Σ xᵢ) − (n + 1)/n',
    'Buildings 2026, 16(5) 1068',
  ),
  heatIntensityVariation: meaning('heatIntensityVariation', '%', 'σ(qᵢ)/q̄, qᵢ = Qᵢ/Aᵢ'),
  hydraulicStability: meaning(
    'hydraulicStability',
    '1',
    'y = √(1 − Δp̃_path/H)',
    'ratio of required to greatest flow',
  ),
  totalFlowKgS: meaning('totalFlowKgS', 'kg/s', 'ΣG = Σṁᵢ'),
  dropK: meaning('dropK', 'K', 'ΔT = T_s − T_r'),
  headPa: meaning('headPa', 'Pa', 'H = p_s − p_r'),
  pumpW: meaning('pumpW', 'W', 'P = H·ΣG/(ρ·η)'),
  pumpMonthKWhM2: meaning(
    'pumpMonthKWhM2',
    'kWh/m²',
    'P·730 h/ΣA',
    'benchmark 0.29, Energy & Buildings 2020',
  ),
  heatWM2: meaning('heatWM2', 'W/m²', 'q̄ = ΣQᵢ/ΣAᵢ'),
  heatWM2K: meaning('heatWM2K', 'W/(m²·K)', 'q̄/(T̄_i − T_o)', 'heat beside the weather, as by degree days'),
  loopPressureDifference: meaning(
    'loopPressureDifference',
    '%',
    'max |Δpᵢ − Δp̄|/Δp̄, Δpᵢ = Δp_path,i(ṁ*) + (H − Δp_path,i)·(ṁ*ᵢ/ṁᵢ)²',
    'GB 50019-2003 4.8.6: at most 15 %',
  ),
  movesPerValveDay: meaning('movesPerValveDay', '1/d', 'n_moves/(N·days)', 'battery budget: at most 2'),
  movesPerValve: meaning('movesPerValve', '1', 'n_moves/N', 'campaign: at most 1.2'),
  travelPerValve: meaning('travelPerValve', 'strokes', 'Σ|Δu|/N'),
  hoursToBalance: meaning('hoursToBalance', 'h', 't_verified − t_approved'),
  excludedShare: meaning('excludedShare', '%', 'n_excl/n'),
  saturatedShare: meaning('saturatedShare', '%', 'n(u ≥ 0.98 ∨ u ≤ u_min)/n'),
  notMeasuredShare: meaning('notMeasuredShare', '%', '1 − n(T_r,i)/n'),
} as const satisfies Record<string, IndexMeaning>

export type IndexName = keyof typeof indexMeanings
/** What the instants of a campaign say, not what is measured of a loop. */
export type CampaignIndexName = 'hoursToBalance'
