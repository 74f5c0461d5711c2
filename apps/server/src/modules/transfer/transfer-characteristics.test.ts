import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cells } from './sheets/columns.ts'
import { createTestTransfers, type Rows, readWorkbook, type TestTransfers } from './transfer.testkit.ts'

let fixture: TestTransfers
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers()
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  companyId = await fixture.addCompany('characteristics')
})
afterAll(() => fixture.close())

const structure = [{ project: '集团', company: '甲公司', building: '1号楼' }]
const toValve = (serial: string, more: Cells): Cells => ({
  serial,
  kind: '阀门',
  name: serial,
  model: 'DN32 Kvs16',
  place: '集团,甲公司,1号楼',
  periodS: '900',
  ...more,
})
const devices = [
  toValve('V1', { curve: '等百分比', kvsM3H: '16', rangeability: '50' }),
  toValve('V2', { curve: 'Linear', kvsM3H: '6.3' }),
  toValve('V3', { curve: '快开', kvsM3H: '25' }),
  toValve('V4', { curve: '实测', curvePoints: '0:0.1；50%：4.25; 100:16' }),
  toValve('V5', {}),
]
const run = async (rows: Rows, company = companyId) =>
  fixture.run(await fixture.callOf('staff'), company, rows)
const exportDevices = async (language: 'zh' | 'en', of = companyId) => {
  const call = await fixture.callOf('staff', language)
  const { bytes } = await fixture.service.exportCompany(call, { companyId: of })
  const sheets = await readWorkbook(bytes)
  return sheets[language === 'zh' ? '设备' : 'Devices'] ?? []
}
const stored = (of: number) =>
  fixture.core.db
    .selectFrom('device')
    .select(['serial', 'characteristic', 'version'])
    .where('company_id', '=', of)
    .orderBy('serial')
    .execute()

test('characteristics are imported with valves, unchanged where cells are empty, and exported', async () => {
  expect(await run({ structure, devices })).toMatchObject({ added: 6, failed: 0 })
  expect((await stored(companyId)).map(({ characteristic }) => characteristic)).toEqual([
    { kind: 'equal-percentage', kvsM3H: 16, rangeability: 50 },
    { kind: 'linear', kvsM3H: 6.3 },
    { kind: 'quick-opening', kvsM3H: 25 },
    {
      kind: 'measured',
      points: [
        { openingPct: 0, kvM3H: 0.1 },
        { openingPct: 50, kvM3H: 4.25 },
        { openingPct: 100, kvM3H: 16 },
      ],
    },
    null,
  ])
  expect(await run({ structure, devices })).toMatchObject({ unchanged: 6 })
  expect(await run({ devices: [toValve('V1', { description: '井' })] })).toMatchObject({ changed: 1 })
  const [headings = [], ...rows] = await exportDevices('en')
  const names = ['Serial', 'Flow characteristic', 'Kvs (m³/h)', 'Rangeability', 'Measured points (%:m³/h)']
  expect(rows.map((row) => names.map((name) => row[headings.indexOf(name)] ?? ''))).toEqual([
    ['V1', 'equal-percentage', '16', '50', ''],
    ['V2', 'linear', '6.3', '', ''],
    ['V3', 'quick-opening', '25', '', ''],
    ['V4', 'measured', '', '', '0:0.1; 50:4.25; 100:16'],
    ['V5', '', '', '', ''],
  ])
})

test('what one company exports another imports, with the same characteristics', async () => {
  const [headings = [], ...rows] = await exportDevices('zh')
  const columnOf = {
    流量特性: 'curve',
    'Kvs(m³/h)': 'kvsM3H',
    可调比: 'rangeability',
    '实测点(%:m³/h)': 'curvePoints',
  }
  const copies = rows.map((row) => {
    const cells = Object.entries(columnOf).flatMap(([heading, column]) => {
      const text = row[headings.indexOf(heading)]
      return text ? [[column, text] as const] : []
    })
    return toValve(row[headings.indexOf('编号')] ?? '', Object.fromEntries(cells))
  })
  const other = await fixture.addCompany('copied')
  expect(await run({ structure, devices: copies }, other)).toMatchObject({ added: 6, failed: 0 })
  const of = async (id: number) => (await stored(id)).map(({ characteristic }) => characteristic)
  expect(await of(other)).toEqual(await of(companyId))
})

test('a changed characteristic is a new version of the valve, and the log has it before and after', async () => {
  const [before] = await stored(companyId)
  const changed = toValve('V1', { curve: '线性', kvsM3H: '12' })
  expect(await run({ devices: [changed] })).toMatchObject({ changed: 1 })
  const [after] = await stored(companyId)
  expect(after).toMatchObject({
    characteristic: { kind: 'linear', kvsM3H: 12 },
    version: (before?.version ?? 0) + 1,
  })
  const change = await fixture.core.db
    .selectFrom('operation_change')
    .select(['action', 'before', 'after'])
    .where('entity', '=', 'device')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(change).toEqual({
    action: 'changed',
    before: { characteristic: { kind: 'equal-percentage', kvsM3H: 16, rangeability: 50 } },
    after: { characteristic: { kind: 'linear', kvsM3H: 12 } },
  })
})

test.each([
  [{ curve: '抛物线', kvsM3H: '16' }, '“流量特性”的内容无效'],
  [{ kvsM3H: '16' }, '缺少“流量特性”'],
  [{ curve: '线性' }, '缺少“Kvs(m³/h)”'],
  [{ curve: '线性', kvsM3H: '0' }, '“Kvs(m³/h)”应为 0.01 至 10000 之间的数字'],
  [{ curve: '等百分比', kvsM3H: '16' }, '缺少“可调比”'],
  [{ curve: '线性', kvsM3H: '16', rangeability: '40' }, '“可调比”不适用于该流量特性'],
  [{ curve: '实测' }, '缺少“实测点(%:m³/h)”'],
  [
    { curve: '实测', curvePoints: '0,1,2' },
    '“实测点(%:m³/h)”应写作“开度:流通能力”，以分号分隔，如 0:0.1; 50:4; 100:16',
  ],
  [{ curve: '实测', curvePoints: '0:0; 100:16' }, '实测流量特性无效：须有三至二十一个点'],
  [{ curve: '实测', curvePoints: '0:0; 60:8; 40:9; 100:16' }, '实测流量特性无效：开度须逐点增大'],
  [{ curve: '实测', curvePoints: '0:0; 50:8; 90:16' }, '实测流量特性无效：最后一点的开度须为 100%'],
  [
    { curve: '实测', curvePoints: '0:0; 50:18; 100:16' },
    '实测流量特性无效：流通能力不得逐点减小，最后一点须大于零',
  ],
])('%j is refused: %s', async (cells, reason) => {
  const { id } = await run({ devices: [toValve('V6', cells)] })
  expect(await fixture.verdictsOf(await fixture.callOf('staff'), id)).toEqual([`failed: ${reason}`])
})

test('only a valve has a characteristic', async () => {
  const { id } = await run({ devices: [toValve('M1', { kind: '热量表', curve: '线性', kvsM3H: '16' })] })
  expect(await fixture.verdictsOf(await fixture.callOf('staff'), id)).toEqual([
    'failed: “流量特性”不适用于此类设备或节点',
  ])
})
