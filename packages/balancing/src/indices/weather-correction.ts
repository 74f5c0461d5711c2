/** Indices of a loop at one instant that its weather acts on. */
interface Weathered {
  readonly sigmaReturnK?: number | undefined
  readonly sigmaReturnPerDrop?: number | undefined
}

/**
 * Spread of returns (K) that a later state of a loop would have with the mean difference of supply and return of an
 * earlier one: σ₁·ΔT̄₀/ΔT̄₁. In mild weather all differences of temperature shrink, and the spread with them, without
 * any balance. Undefined if a spread or a difference is not known, or if the earlier spread is zero.
 * Source: docs/domain/formulas.md; worked example: weather-correction.test.ts.
 */
export function correctSigma(before: Weathered, after: Weathered): number | undefined {
  const [sigmaK, perDrop, later] = [before.sigmaReturnK, before.sigmaReturnPerDrop, after.sigmaReturnPerDrop]
  if (sigmaK === undefined || perDrop === undefined || later === undefined || !(perDrop > 0)) return undefined
  return (later * sigmaK) / perDrop
}
