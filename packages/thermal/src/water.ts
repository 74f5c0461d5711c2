/** Specific heat of heating water, J/(kg·K). */
export const WATER_HEAT_CAPACITY = 4187
