/** Assumed dead travel of motors, 0..1: 1 to 2 % is usual. */
export const BACKLASH = 0.015
