import { indexMeanings } from '@isotherm/balancing/indices/index-meanings'
import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import { campaignTextsEn } from '@isotherm/contract/locales/campaigns.en'
import { campaignTextsZh } from '@isotherm/contract/locales/campaigns.zh'
import { toErrorText } from '@isotherm/contract/locales/error-text'
import { expect, test } from 'vitest'
import type { Cell } from '../../platform/spreadsheet/workbook-writer.ts'
import { type ReportedCampaign, toReport } from './report.ts'

const AT = Date.UTC(2026, 10, 22, 4)

const campaign: ReportedCampaign = {
  id: 7,
  version: 3,
  node: '12',
  nodeName: '东区',
  nestaddr: '集团,公司,一号站,东区',
  stationName: '一号站',
  mode: { kind: 'temperature', target: 'return' },
  state: 'verified',
  round: 1,
  valves: 2,
  moves: 1,
  excluded: 1,
  moved: 1,
  movesMade: 3,
  indices: {
    before: { sigmaReturnK: 1.23456, withinOneK: 0.5 },
    expected: { sigmaReturnK: 0.4, withinOneK: 1 },
    worst: { sigmaReturnK: 0.7, withinOneK: 0.8 },
    after: { sigmaReturnK: 0.5, withinOneK: 0.9 },
  },
  createdBy: 'planner',
  createdAt: AT,
  approvedBy: 'chief',
  approvedAt: AT + 60_000,
  updatedAt: AT,
  plannedAt: AT,
  flows: 'metered',
  settleMs: 5_400_000,
  station: {
    before: { headKpa: 60, flowM3H: 20, supplyC: 50, returnC: 40 },
    expected: { headKpa: 60, flowM3H: 20, supplyC: 50, returnC: 40 },
    after: { headKpa: 61, flowM3H: 20.1, supplyC: 50, returnC: 40.1 },
    advisedHeadKpa: 48,
  },
  members: [
    {
      deviceId: 1,
      deviceName: '=V-1',
      node: '13',
      nestaddr: '集团,公司,一号站,东区,二号楼',
      areaM2: 90,
      before: { openingPct: 60, flowM3H: 1.2, supplyC: 50, returnC: 41 },
      expected: { openingPct: 45, flowM3H: 1, returnC: 40, returnLowC: 39.4, returnHighC: 40.6 },
      after: { openingPct: 45, flowM3H: 1.05, returnC: 40.2 },
      targetFlowM3H: 1,
      verdict: 'accepted',
    },
    {
      deviceId: 2,
      deviceName: 'V-2',
      node: '14',
      nestaddr: '集团,公司,一号站,东区,十号楼',
      areaM2: 90,
      before: { openingPct: 60 },
      expected: { openingPct: 60 },
      excluded: 'not-measured',
    },
  ],
  steps: [{ round: 1, kind: 'close', valves: 1, state: 'done', batchId: '01', unanswered: 0 }],
  history: [
    { at: AT, event: 'plan', by: 'planner' },
    { at: AT + 60_000, event: 'approve', by: 'chief' },
    { at: AT + 120_000, event: 'verified' },
  ],
}

async function readSheets(
  language: 'zh' | 'en',
  reported = campaign,
): Promise<Readonly<Record<string, readonly Cell[][]>>> {
  const sheets: Record<string, Cell[][]> = {}
  for (const { name, rows } of toReport(reported, language, 'Asia/Shanghai')) {
    sheets[name] = []
    for await (const row of rows) sheets[name].push([...row])
  }
  return sheets
}

test('a report has the plan, every valve before and after, the indices in their units and what happened', async () => {
  const sheets = await readSheets('en')
  expect(Object.keys(sheets)).toEqual(['Plan', 'Valves', 'Indices', 'History'])
  expect(sheets.Plan).toContainEqual([
    'Balance',
    undefined,
    'Temperature balance · Equal return temperatures',
  ])
  expect(sheets.Plan).toContainEqual(['Advised head', 'kPa', 48])
  expect(sheets.Plan).toContainEqual(['Total flow', 'm³/h', 20, 20, 20.1])
  expect(sheets.Plan).toContainEqual(['Pump power', 'kW', undefined, undefined, undefined])
  expect(sheets.Plan?.at(-1)).toEqual(['Round 1 · Close · 1 valves · done · 0 unanswered'])
  const [headings, moved, excluded] = sheets.Valves ?? []
  const byColumn = new Map(
    headings?.map((heading, column) => [heading, [moved?.[column], excluded?.[column]]]),
  )
  expect(byColumn.get('Target opening %')).toEqual([45, 60])
  expect(byColumn.get('Return after °C')).toEqual([40.2, undefined])
  expect(byColumn.get('Return at most °C (90% confidence)')).toEqual([40.6, undefined])
  expect(byColumn.get('Left out because')).toEqual([undefined, campaignTextsEn.exclusions['not-measured']])
  expect(byColumn.get('Verdict')).toEqual(['As predicted', undefined])
  expect(sheets.Indices?.slice(1)).toEqual([
    ['Standard deviation of return temperatures', 'K', 1.235, 0.4, 0.7, 0.5],
    ['Return temperatures within ±1 K', '%', 50, 100, 80, 90],
  ])
  expect(sheets.History?.slice(1)).toEqual([
    ['2026-11-22 12:00:00', 'Planned', 'planner'],
    ['2026-11-22 12:01:00', 'Approved', 'chief'],
    ['2026-11-22 12:02:00', 'Verified', undefined],
  ])
})

test('a report has P10 beside P90, the weather, the corrected spread, all moves, and marks estimated rooms', async () => {
  const indices = {
    before: { sigmaReturnK: 1.2, sigmaReturnPerDrop: 0.1 },
    expected: { sigmaReturnK: 0.5 },
    best: { sigmaReturnK: 0.3 },
    worst: { sigmaReturnK: 0.7 },
    after: { sigmaReturnK: 0.4, sigmaReturnPerDrop: 0.05 },
  }
  const station: ReportedCampaign['station'] = {
    before: { outdoorC: -8 },
    expected: {},
    after: { outdoorC: 2 },
  }
  const members: ReportedCampaign['members'] = campaign.members.map((member, index) => ({
    ...member,
    before: { ...member.before, roomC: 20, roomSource: index === 0 ? 'measured' : 'estimated' },
  }))
  const sheets = await readSheets('en', { ...campaign, indices, station, members })
  expect(sheets.Plan).toContainEqual(['Outdoor temperature', '°C', -8, undefined, 2])
  expect(sheets.Plan).toContainEqual([
    'Standard deviation of returns, corrected to the supply-return difference before',
    'K',
    1.2,
    undefined,
    0.6,
  ])
  expect(sheets.Plan).toContainEqual(['Moves of the whole campaign', undefined, 3])
  const [heads, ...rows] = sheets.Indices ?? []
  expect(heads?.slice(3)).toEqual(['Expected', '90% confidence, at best', '90% confidence', 'After'])
  expect(rows[0]).toEqual(['Standard deviation of return temperatures', 'K', 1.2, 0.5, 0.3, 0.7, 0.4])
  const [columns, measured, estimated] = sheets.Valves ?? []
  const source = columns?.indexOf('Rooms measured or estimated') ?? -1
  expect([measured?.[source], estimated?.[source]]).toEqual(['measured', 'estimated'])
})

test('a report says that a spread is not corrected for weather if no supply-return difference is known', async () => {
  const sheets = await readSheets('en')
  expect(sheets.Plan).toContainEqual([
    'Standard deviation of returns is not corrected for weather: no supply-return difference',
  ])
})

test('a report has the target head of a pump beside the head that was set, and the waves that were not rolled back', async () => {
  const pump = { deviceId: 3, fromKpa: 40, toKpa: 45.12345 }
  const back = { round: 2, kind: 'back', valves: 0, state: 'done', unanswered: 0 } as const
  const steps: ReportedCampaign['steps'] = [
    { ...back, batchId: '02', pump },
    { ...back, batchId: '03', pump: { ...pump, wantedKpa: 50 } },
    { ...back, unanswered: 1, pump },
    { ...back, unanswered: 2, valves: 2 },
  ]
  const tellIn = async (language: 'zh' | 'en') => {
    const [plan] = toReport({ ...campaign, steps }, language, 'Asia/Shanghai')
    const rows: (readonly Cell[])[] = []
    for await (const row of plan?.rows ?? []) rows.push(row)
    return rows.slice(-steps.length).map(([text]) => text)
  }
  expect(await tellIn('en')).toEqual([
    `Round 2 · ${campaignTextsEn.steps.back} · pump 40 → 45.123 kPa · done · 0 unanswered`,
    `Round 2 · ${campaignTextsEn.steps.back} · pump 40 → 45.123 kPa · done · 0 unanswered · 50 kPa was the target; its limits allow no nearer head`,
    `Round 2 · ${campaignTextsEn.steps.back} · pump 40 → 45.123 kPa · not rolled back: it cannot take commands now, or was commanded since · 1 unanswered`,
    `Round 2 · ${campaignTextsEn.steps.back} · 2 valves · not rolled back: it cannot take commands now, or was commanded since · 2 unanswered`,
  ])
  const [, nearest, left] = await tellIn('zh')
  expect(nearest).toContain('应恢复到 50 kPa')
  expect(left).toContain('未恢复')
})

test('a report is written in the requested language', async () => {
  const sheets = await readSheets('zh')
  expect(Object.keys(sheets)).toEqual(['方案', '阀门', '指标', '过程'])
  expect(sheets.方案).toContainEqual(['状态', undefined, '已验证'])
  expect(JSON.stringify(sheets)).not.toMatch(/[A-Z][a-z]+ed\b/)
})

test('after a rollback the measured column is labelled as before the rollback', async () => {
  const [plan] = toReport({ ...campaign, state: 'rolled-back' }, 'en', 'Asia/Shanghai')
  const rows: (readonly Cell[])[] = []
  for await (const row of plan?.rows ?? []) rows.push(row)
  const [headings] = rows
  expect(headings?.at(-1)).toBe('Before the rollback')
})

test.each<[CampaignAbort, string]>([
  [{ kind: 'unanswered', share: 0.125 }, '12.5% of the commands were not confirmed, more than is allowed.'],
  [
    { kind: 'starved', deviceIds: [2] },
    'Valves below 70% of the predicted flow and below their flow before (1): V-2.',
  ],
  [{ kind: 'cold-rooms', before: 1, now: 4 }, 'Rooms below 18 °C rose from 1 to 4.'],
  [
    { kind: 'refused', code: 'command.held', params: { count: 1, devices: 'V-1' } },
    `A command was refused: ${toErrorText('en', 'command.held', { count: 1, devices: 'V-1' })}.`,
  ],
  [{ kind: 'refused', code: 'of.another-version' }, 'A command was refused: of.another-version.'],
  [{ kind: 'not-measured' }, campaignTextsEn.abortSentences['not-measured']],
])('a report says why a campaign stopped: %o', async (abort, text) => {
  const [plan] = toReport({ ...campaign, state: 'aborted', abort }, 'en', 'Asia/Shanghai')
  const rows: (readonly Cell[])[] = []
  for await (const row of plan?.rows ?? []) rows.push(row)
  expect(rows).toContainEqual(['Aborted because', undefined, text])
})

test('every index has a name in both languages, and no other has one', () => {
  for (const { indices } of [campaignTextsZh, campaignTextsEn])
    expect(Object.keys(indices).toSorted()).toEqual(Object.keys(indexMeanings).toSorted())
})
