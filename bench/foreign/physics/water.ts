/** Water of a secondary network at 45 °C (IAPWS-95, rounded): kg/m³, Pa·s, J/(kg·K). */
export const WATER = { densityKgM3: 990.2, viscosityPaS: 5.96e-4, heatJKgK: 4180 } as const

/** Volume flow in m³/h of a mass flow in kg/s. */
export const toM3H = (flowKgS: number): number => (3600 * flowKgS) / WATER.densityKgM3
