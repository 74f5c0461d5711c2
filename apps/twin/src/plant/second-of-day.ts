export const DAY_S = 86_400

/**
 * Seconds since midnight, 0 to below DAY_S. Simulated second 0 is a midnight; seconds before the start of the scenario are
 * negative.
 */
export const secondOfDay = (simTimeS: number): number => ((simTimeS % DAY_S) + DAY_S) % DAY_S
