import type { CampaignDetail, CampaignMember } from '@isotherm/contract/balancing/campaign'

export const sampleMember = (id: number, part: Partial<CampaignMember> = {}): CampaignMember => ({
  deviceId: id,
  deviceName: `阀门 ${id}`,
  node: `n${id}`,
  nestaddr: `集团,公司,东区,一号站,阳光小区,${id}号楼,1单元`,
  areaM2: 1_000,
  before: { openingPct: 40, flowM3H: 2, supplyC: 45, returnC: 38, roomC: 20 },
  expected: { openingPct: 50, flowM3H: 2.4, supplyC: 45, returnC: 37, roomC: 20.5 },
  targetFlowM3H: 2.4,
  ...part,
})

/** A plan of two valves: one opened in a first wave, one closed in a second. */
export const sampleCampaign = (part: Partial<CampaignDetail> = {}): CampaignDetail => ({
  id: 7,
  version: 1,
  node: 'station',
  nodeName: '一号站',
  nestaddr: '集团,公司,东区,一号站',
  stationName: '一号站',
  mode: { kind: 'temperature', target: 'return' },
  state: 'draft',
  round: 1,
  valves: 3,
  moves: 2,
  excluded: 1,
  moved: 0,
  movesMade: 0,
  indices: {
    before: { sigmaReturnK: 1.2, withinOneK: 0.5, under18: 0.02 },
    expected: { sigmaReturnK: 0.4, withinOneK: 0.95, under18: 0.02 },
  },
  createdBy: 'dispatcher',
  createdAt: 1_000_000,
  updatedAt: 1_000_000,
  abilities: ['replan', 'approve', 'discard'],
  plannedAt: 1_000_000,
  flows: 'metered',
  settleMs: 1_800_000,
  station: {
    before: { headKpa: 60, flowM3H: 8, pumpKw: 1.5, supplyC: 45, returnC: 38 },
    expected: { headKpa: 60, flowM3H: 8.2, pumpKw: 1.4, supplyC: 45, returnC: 38 },
    advisedHeadKpa: 52,
  },
  common: 38,
  members: [
    sampleMember(1),
    sampleMember(2, { expected: { openingPct: 30, flowM3H: 1.6, returnC: 37, roomC: 19.5 } }),
    sampleMember(3, { excluded: 'held', expected: { openingPct: 40, flowM3H: 2, returnC: 38 } }),
  ],
  steps: [
    { round: 1, kind: 'open', valves: 1, state: 'waiting', unanswered: 0 },
    { round: 1, kind: 'close', valves: 1, state: 'waiting', unanswered: 0 },
  ],
  history: [{ at: 1_000_000, event: 'plan', by: 'dispatcher' }],
  ...part,
})
