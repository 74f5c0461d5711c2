import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'

export const counts = { used: 100, withoutHeat: 2, withoutWeather: 0, implausible: 1, offSeason: 245 }

/** 36 MWh saved of 400 MWh: 129.6 GJ. */
export const knownResult = {
  kind: 'known',
  measuredKwh: 364_000,
  predictedKwh: 400_000,
  savedKwh: 36_000,
  lowKwh: 30_000,
  highKwh: 42_000,
  line: { baseKwh: 2_000, slopeKwhK: 500, changePointC: 16 },
  lineAfter: { baseKwh: 1_800, slopeKwhK: 450, changePointC: 16 },
  r2: 0.97,
  cvRmsePct: 4.2,
  isWithinLimits: true,
} as const satisfies HeatSavingAnswer['result']

export const sampleSaving = (part: Partial<HeatSavingAnswer> = {}): HeatSavingAnswer => ({
  stationName: '一号站',
  periodsBy: 'campaign',
  changedAt: Date.UTC(2026, 10, 30, 4),
  source: 'meter',
  baseline: {
    from: '2025-11-30',
    to: '2026-11-29',
    counts,
    days: [
      { date: '2025-12-01', outdoorC: -10, heatKwh: 15_000 },
      { date: '2025-12-02', outdoorC: 18, heatKwh: 2_000 },
    ],
  },
  after: {
    from: '2026-12-01',
    to: '2027-01-10',
    counts: { ...counts, used: 40, withoutHeat: 0, implausible: 0, offSeason: 0 },
    days: [{ date: '2026-12-01', outdoorC: -4, heatKwh: 10_800 }],
  },
  result: knownResult,
  prices: {},
  settable: [],
  ...part,
})
