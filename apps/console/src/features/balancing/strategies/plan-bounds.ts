import { flowBounds, heatBounds } from '../start/mode-draft.ts'

/**
 * Bounds of the contract (packages/contract/src/balancing/strategies.ts). plan-draft.test.ts checks that they agree.
 */
export const planBounds = {
  startAboveK: { min: 0.1, max: 10 },
  startAbovePct: { min: 1, max: 100 },
  everyHours: { min: 1, max: 168 },
  trims: { min: 0, max: 3 },
  outdoorC: { min: -50, max: 30 },
  heatWM2: heatBounds,
  comfortC: { min: 16, max: 26 },
  coldMarginK: { min: 0, max: 3 },
  maxColdPct: { min: 0, max: 50 },
  lowerK: { min: 0.5, max: 1 },
  minMeasuredPct: { min: 10, max: 100 },
  minHeadPct: { min: 50, max: 100 },
  flowKgHM2: flowBounds,
  frostC: { min: 5, max: 16 },
  sharePct: { min: 0, max: 150 },
  roomC: { min: 5, max: 26 },
  shiftMinutes: { min: 0, max: 240 },
  wantedC: { min: 5, max: 26 },
  boostedC: { min: 6, max: 40 },
  maxHours: { min: 0.25, max: 72 },
  timeConstantH: { min: 1, max: 400 },
} as const

/** Maximum of groups of a sequence. */
export const MAX_GROUPS = 24
