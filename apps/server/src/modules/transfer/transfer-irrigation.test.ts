import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeSensorModel } from '../devices/profiles/sensor-model.testkit.ts'
import type { Cells } from './sheets/columns.ts'
import { createTestTransfers, type Rows, readWorkbook, type TestTransfers } from './transfer.testkit.ts'

let fixture: TestTransfers
let companyId: number
let demo: number

beforeAll(async () => {
  fixture = await createTestTransfers()
  const without = (...missing: string[]) => permissions.filter((permission) => !missing.includes(permission))
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  await fixture.core.createAccount('heater', without('pe-irrreal', 'pe-irrigation', 'pe-irrgrpsx'), ['p'])
  await fixture.core.createAccount('gardener', without('pe-fmcontrol'), ['s2'])
  companyId = await fixture.addCompany('nursery')
  const row = await fixture.core.db
    .selectFrom('company')
    .select('id')
    .where('tenant', '=', 'demo')
    .executeTakeFirstOrThrow()
  demo = row.id
})
afterAll(() => fixture.close())

const PLACE = '集团,苗圃,一站'
const structure = [{ project: '集团', company: '苗圃', station: '一站' }]
const toDevice = (serial: string, kind: string): Cells => ({
  serial,
  kind,
  name: serial,
  model: 'DN50',
  place: PLACE,
  periodS: '60',
})
const devices = [
  toDevice('P-1', '换热站控制器'),
  toDevice('M-1', '阀门'),
  toDevice('GV-01', '阀门'),
  toDevice('GV-02', '阀门'),
  ...['FM-1', 'RG-1', 'SP-1', 'SP-2'].map((serial) => toDevice(serial, '灌溉传感器')),
]
const source: Cells = {
  place: PLACE,
  source: '1号泵房',
  capacityM3H: '14.5',
  dailyBudgetM3: '90',
  controller: 'P-1',
  master: 'M-1',
  flowMeter: 'FM-1',
  rainSensor: 'RG-1',
  lagS: '5',
  leakBlocks: '否',
  minInletKpa: '-20',
  longitudeDeg: '116.4',
  latitudeDeg: '39.9',
  altitudeM: '1310',
  afterOutage: '跳过已过时段',
}
const group: Cells = {
  place: PLACE,
  source: '1号泵房',
  group: '东畦',
  mode: '同时开启',
  valves: 'GV-01:6.5:1800; GV-02：6：1200',
  wetPct: '28',
  probes: 'SP-2；SP-1',
}
const filled: Rows = { structure, devices, 'irrigation-sources': [source], 'irrigation-groups': [group] }

const run = async (rows: Rows, dryRun = false, account = 'staff', company = companyId) =>
  fixture.run(await fixture.callOf(account), company, rows, dryRun)
const verdictsOf = async (id: number, account = 'staff') =>
  fixture.verdictsOf(await fixture.callOf(account), id)
const exportOf = async (account: string, input: { companyId?: number } = {}) => {
  const { bytes } = await fixture.service.exportCompany(await fixture.callOf(account), input)
  const { 灌溉水源: sources, 轮灌组: groups } = await readWorkbook(bytes)
  return { sources: sources?.slice(1), groups: groups?.slice(1) }
}
const countSources = async () =>
  (await fixture.core.db.selectFrom('irrigation_source').select('id').execute()).length

test('a source and its groups are imported with the place and the devices that they name, and exported unchanged', async () => {
  expect(await run(filled, true)).toMatchObject({ added: 11, failed: 0 })
  expect(await countSources()).toBe(0)
  expect(await run(filled)).toMatchObject({ added: 11, failed: 0, done: 11 })
  const exported = {
    sources: [
      [
        PLACE,
        '1号泵房',
        '14.5',
        '90',
        'P-1',
        'M-1',
        'FM-1',
        '',
        '',
        'RG-1',
        '10',
        '5',
        '10',
        '',
        '',
        '否',
        '',
        '-20',
        '116.4',
        '39.9',
        '1310',
        '跳过已过时段',
      ],
    ],
    groups: [[PLACE, '1号泵房', '东畦', '同时开启', 'GV-01:6.5:1800; GV-02:6:1200', '28', 'SP-2; SP-1']],
  }
  expect(await exportOf('staff', { companyId })).toEqual(exported)
  expect(await run(filled)).toMatchObject({ added: 0, changed: 0, unchanged: 11 })

  const other = await fixture.addCompany('second-nursery')
  const { bytes } = await fixture.service.exportCompany(await fixture.callOf('staff'), { companyId })
  const call = await fixture.callOf('staff')
  const { id, version } = await fixture.service.upload(call, '苗圃.xlsx', toBuffers(bytes))
  await fixture.service.start(call, { transferId: id, version, dryRun: false, companyId: other })
  expect(await fixture.waitFor(call, id, 'done')).toMatchObject({ failed: 0 })
  expect(await exportOf('staff', { companyId: other })).toEqual(exported)
})

async function* toBuffers(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of bytes) yield Buffer.from(piece)
}

test('a row that takes a sensor from its source fails with the names of both, and the other rows are stored', async () => {
  const elsewhere = { ...toDevice('FM-1', '灌溉传感器'), place: '集团,苗圃,二站' }
  const rows = {
    structure: [
      { project: '集团', company: '苗圃', station: '二站' },
      { project: '集团', company: '苗圃', station: '一站', residentialArea: '北园' },
    ],
    devices: [
      elsewhere,
      { ...toDevice('P-1', '换热站控制器'), name: '新名' },
      // A place that the import adds below the source.
      { ...toDevice('SP-1', '灌溉传感器'), place: `${PLACE},北园` },
    ],
  }
  const verdicts = [
    'added',
    'added',
    expect.stringMatching(/^failed: FM-1 是水源“1号泵房”或其轮灌组的传感器/),
    'changed',
    'changed',
  ]
  const tried = await run(rows, true)
  expect(tried).toMatchObject({ failed: 1, added: 2, changed: 2 })
  expect(await verdictsOf(tried.id)).toEqual(verdicts)
  const moved = await run(rows)
  expect(moved).toMatchObject({ failed: 1, done: 5 })
  expect(await verdictsOf(moved.id)).toEqual(verdicts)
})

test('a row changes the values it gives, and an empty cell leaves the value unchanged', async () => {
  const changes: Rows = {
    'irrigation-sources': [{ place: PLACE, source: '1号泵房', capacityM3H: '20', leakBlocks: 'yes' }],
    'irrigation-groups': [{ place: PLACE, source: '1号泵房', group: '东畦', valves: 'GV-02:7:600' }],
  }
  expect(await run(changes)).toMatchObject({ changed: 2, failed: 0 })
  const { sources, groups } = await exportOf('staff', { companyId })
  expect(sources?.[0]?.slice(2, 6)).toEqual(['20', '90', 'P-1', 'M-1'])
  expect(sources?.[0]?.[15]).toBe('是')
  expect(groups).toEqual([[PLACE, '1号泵房', '东畦', '同时开启', 'GV-02:7:600', '28', 'SP-2; SP-1']])
  expect(await run(changes)).toMatchObject({ changed: 0, unchanged: 2 })
})

test('each invalid row fails with its reason, in a dry run as in an import', async () => {
  const rows: Rows = {
    'irrigation-sources': [
      { place: PLACE, source: '2号泵房' },
      { ...source, place: '集团,哪里' },
      { place: PLACE, source: '2号泵房', capacityM3H: '0' },
      { place: PLACE, source: '3号泵房', capacityM3H: '5', controller: 'GV-01' },
      { place: PLACE, source: '4号泵房', capacityM3H: '5', master: 'M-1' },
      { place: PLACE, source: '5号泵房', capacityM3H: '5', leadS: '1.5' },
      { place: PLACE, source: '6号泵房', capacityM3H: '5', latitudeDeg: '39' },
      { place: PLACE, source: '7号泵房', capacityM3H: '5', rainSensor: 'GV-01' },
    ],
    'irrigation-groups': [
      { ...group, source: '9号泵房' },
      { ...group, group: '西畦', valves: 'M-1:6:600' },
      { ...group, group: '西畦' },
      { ...group, group: '南畦', valves: 'GV-01:6' },
      { ...group, group: '南畦', valves: 'GV-01:6:600; GV-01:5:600' },
      { ...group, group: '北畦', valves: 'GV-99:6:600' },
      { place: PLACE, source: '1号泵房', group: '中畦', mode: '依次开启' },
      { ...group, group: '中畦', probes: 'SP-1; SP-1' },
      { ...group, group: '下畦', probes: 'SP-1; P-1' },
    ],
  }
  const dry = await run(rows, true)
  const verdicts = await verdictsOf(dry.id)
  expect(verdicts).toEqual([
    'failed: 新水源须填写能力',
    'failed: 该节点不存在，或不在您的权限范围内',
    'failed: “能力(m³/h)”应为 0.1 至 10000 之间的数字',
    'failed: 没有编号为 GV-01 的设备，或不在水源的位置之下，或类型不符',
    'failed: M-1 已是某水源的主阀或某轮灌组的阀门',
    'failed: “泵与主阀提前(s)”的内容无效',
    'failed: “经度(°)”与其对应的列须同时填写',
    'failed: 没有编号为 GV-01 的设备，或不在水源的位置之下，或类型不符',
    'failed: 该位置没有此水源：9号泵房',
    'failed: M-1 已是某水源的主阀或某轮灌组的阀门',
    'failed: 文件中另一行已描述同一对象',
    'failed: “阀门(编号:m³/h:s)”应写作“编号:流量:最长时间”，以分号分隔，如 GV-01:6.5:1800; GV-02:6:1800',
    'failed: 阀门 GV-01 写了两次',
    'failed: 没有编号为 GV-99 的设备，或不在水源的位置之下，或类型不符',
    'failed: 新轮灌组须填写阀门',
    'failed: “土壤探头编号”的内容无效',
    'failed: 没有编号为 P-1 的设备，或不在水源的位置之下，或类型不符',
  ])
  expect(await verdictsOf((await run(rows)).id)).toEqual(verdicts)
})

test('a valve is the master of one source of the file, and of no group', async () => {
  const at = (name: string) => ({ place: PLACE, source: name })
  const rows: Rows = {
    devices: [toDevice('M-2', '阀门'), toDevice('GV-03', '阀门')],
    'irrigation-sources': [
      { ...at('甲'), capacityM3H: '5', master: 'M-2' },
      { ...at('乙'), capacityM3H: '5', master: 'M-2' },
      { ...at('丙'), capacityM3H: '5' },
    ],
    'irrigation-groups': [
      { ...at('丙'), group: '一', valves: 'GV-03:6:600; M-2:6:600' },
      { ...at('丙'), group: '二', valves: 'GV-03:6:600' },
    ],
  }
  const used = 'failed: M-2 已是某水源的主阀或某轮灌组的阀门'
  expect(await verdictsOf((await run(rows, true)).id)).toEqual([
    'added',
    'added',
    'added',
    used,
    'added',
    used,
    'added',
  ])
})

test('a sheet of irrigation has at most 5000 rows', async () => {
  const call = await fixture.callOf('staff')
  const many = Array.from({ length: 5_001 }, (_, index) => ({ place: PLACE, source: `泵房${index}` }))
  const { id, version } = await fixture.upload(call, { 'irrigation-sources': many })
  await fixture.service.start(call, { transferId: id, version, dryRun: true, companyId })
  expect((await fixture.waitFor(call, id, 'failed')).fault).toBe(
    '工作表“灌溉水源”超过 5000 行，请分成几个文件导入',
  )
})

test('accounts that may configure irrigation import it, at granted places and with valves that are not of heating', async () => {
  const rows = (station: string): Rows => {
    const at = { place: `集团,公司,${station}`, source: '泵房' }
    return {
      'irrigation-sources': [{ ...at, capacityM3H: '5' }],
      'irrigation-groups': [{ ...at, group: '组', valves: 'V-b3u1:2:600' }],
    }
  }
  const denied = await run(rows('二号站'), false, 'heater', demo)
  expect(await verdictsOf(denied.id, 'heater')).toEqual([
    expect.stringContaining('您没有此操作的权限'),
    expect.stringContaining('您没有此操作的权限'),
  ])
  const foreign = await run(rows('一号站'), false, 'gardener', demo)
  expect((await verdictsOf(foreign.id, 'gardener')).every((verdict) => verdict.startsWith('failed'))).toBe(
    true,
  )
  const own = await run(rows('二号站'), false, 'gardener', demo)
  expect(await verdictsOf(own.id, 'gardener')).toEqual(['added', expect.stringContaining('可能是供热阀门')])
  expect((await exportOf('gardener')).sources).toHaveLength(1)
  expect((await exportOf('heater')).sources).toEqual([])
})

/** Two models of flow meters, of which one reports no flow. */
async function storeMeterModels(): Promise<void> {
  await storeSensorModel(fixture.core.db, 'volume-only', 'heat.volume')
  await storeSensorModel(fixture.core.db, 'flow', 'heat.flow')
}
const toMeter = (serial: string, model: string): Cells => ({ ...toDevice(serial, '灌溉传感器'), model })
const waterHouse: Cells = { place: PLACE, source: '水房', capacityM3H: '10', flowMeter: 'WM-1' }

test('a sensor whose row changes its model is judged by the new one', async () => {
  const company = await fixture.addCompany('meters')
  await storeMeterModels()
  const toRows = (model: string): Rows => ({
    structure,
    devices: [toMeter('WM-1', model)],
    'irrigation-sources': [waterHouse],
  })
  await run({ structure, devices: [toMeter('WM-1', 'volume-only')] }, false, 'staff', company)
  const refused = await run(toRows('volume-only'), true, 'staff', company)
  expect(refused).toMatchObject({ failed: 1 })
  expect(await run(toRows('flow'), true, 'staff', company)).toMatchObject({ added: 1, changed: 1, failed: 0 })
  expect(await run(toRows('flow'), false, 'staff', company)).toMatchObject({
    added: 1,
    changed: 1,
    failed: 0,
  })
})

test('a row that gives an attached sensor a model that does not report what it is there for fails, in a dry run as in an import', async () => {
  const company = await fixture.addCompany('remodelled')
  await storeMeterModels()
  const meters = (model: string) => [toMeter('WM-1', model), toMeter('WM-2', model)]
  const rows: Rows = { structure, devices: meters('flow'), 'irrigation-sources': [waterHouse] }
  await run(rows, false, 'staff', company)
  for (const isDryRun of [true, false]) {
    const done = await run({ structure, devices: meters('volume-only') }, isDryRun, 'staff', company)
    expect(done).toMatchObject({ changed: 1, failed: 1 })
    const verdicts = await verdictsOf(done.id)
    expect(verdicts.filter((verdict) => verdict.includes('WM-1 不能作流量计'))).toHaveLength(1)
  }
})
