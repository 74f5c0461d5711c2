/** The least a heated room must have by law, °C (heating ordinances). */
export const LEGAL_ROOM_C = 18
