export const DAY_S = 86_400

/** Seconds since the midnight before a simulated second, which may be before the scenario's start (negative). */
export const secondOfDay = (simTimeS: number): number => ((simTimeS % DAY_S) + DAY_S) % DAY_S
