import { permissions } from '@isotherm/contract/access/permissions'
import Excel from 'exceljs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toWorkbook } from '../../platform/spreadsheet/workbook-writer.ts'
import type { Cells } from './sheets/columns.ts'
import { texts } from './sheets/texts.ts'
import { createTestTransfers, joinBytes, readWorkbook, type TestTransfers } from './transfer.testkit.ts'

let fixture: TestTransfers
let demoCompany: number

beforeAll(async () => {
  fixture = await createTestTransfers()
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  await fixture.core.createAccount('second', permissions, ['s2'])
  await fixture.core.createAccount('gardener', ['pd-fmdevmanager'], ['p'])
  const row = await fixture.core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  demoCompany = row.id
})

afterAll(() => fixture.close())

let companies = 0
async function addCompany(): Promise<number> {
  companies += 1
  return fixture.addCompany(`company-${companies}`)
}

const household = (building: string, unit: string, name: string, areaM2 = '90'): Cells => ({
  project: '集团',
  company: '甲公司',
  station: '一站',
  residentialArea: '东区',
  building,
  unit,
  household: name,
  areaM2,
})

const PLACE = '集团,甲公司,一站,东区,1号楼'

const smallCompany = {
  structure: [household('1号楼', '1单元', '101'), household('1号楼', '1单元', '102', '75.5')],
  devices: [
    {
      serial: 'V-1',
      kind: '阀门',
      name: '阀',
      model: 'DN25',
      place: `${PLACE},1单元`,
      concentrator: 'C-1',
      periodS: '60',
    },
    {
      serial: 'C-1',
      kind: '集中器',
      name: '集',
      model: 'JZ',
      place: PLACE,
      periodS: '60',
      imei: '490154203237518',
    },
  ],
} as const

const countNodes = async (companyId: number): Promise<number> => {
  const row = await fixture.core.db
    .selectFrom('node')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow()
  return row.count
}

const exportAll = async (companyId: number) => {
  const call = await fixture.callOf('staff')
  const { bytes } = await fixture.service.exportCompany(call, { companyId })
  return readWorkbook(bytes)
}

test('T5 A dry run changes nothing and returns the verdict of every row', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const { id, ...checked } = await fixture.run(call, companyId, smallCompany, true)
  expect(checked).toMatchObject({ added: 4, changed: 0, unchanged: 0, failed: 0, done: 4, total: 4 })
  expect(await fixture.verdictsOf(call, id)).toEqual(['added', 'added', 'added', 'added'])
  expect(await countNodes(companyId)).toBe(0)
})

test('households are imported with their ancestors, devices with their concentrators', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  expect(await fixture.run(call, companyId, smallCompany)).toMatchObject({ added: 4, done: 4, failed: 0 })
  expect(await exportAll(companyId)).toMatchObject({
    结构: [
      expect.arrayContaining(['项目', '户']),
      ['集团'],
      ['集团', '甲公司'],
      ['集团', '甲公司', '', '一站'],
      ['集团', '甲公司', '', '一站', '东区'],
      ['集团', '甲公司', '', '一站', '东区', '1号楼'],
      ['集团', '甲公司', '', '一站', '东区', '1号楼', '1单元'],
      ['集团', '甲公司', '', '一站', '东区', '1号楼', '1单元', '101', '90'],
      ['集团', '甲公司', '', '一站', '东区', '1号楼', '1单元', '102', '75.5'],
    ],
    设备: [
      expect.arrayContaining(['编号']),
      ['C-1', '集中器', '集', 'JZ', PLACE, '', '60', '490154203237518'],
      ['V-1', '阀门', '阀', 'DN25', `${PLACE},1单元`, 'C-1', '60'],
    ],
  })
})

test('T9 Importing the same workbook again changes nothing', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  await fixture.run(call, companyId, smallCompany)
  const before = await exportAll(companyId)
  expect(await fixture.run(call, companyId, smallCompany)).toMatchObject({
    added: 0,
    changed: 0,
    unchanged: 4,
    done: 4,
  })
  expect(await exportAll(companyId)).toEqual(before)
})

test('an export of a whole company is imported into an empty one and exported again as the same rows', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const { db, nodeId } = fixture.core
  await db
    .insertInto('node_gis')
    .values({
      node_id: await nodeId('b2'),
      longitude_deg: 116.391_275,
      latitude_deg: 39.906_217,
      outline: null,
    })
    .execute()
  await db.updateTable('node').set({ description: '=1+1', is_test: true }).where('key', '=', 'b2').execute()
  const { bytes } = await fixture.service.exportCompany(call, { companyId: demoCompany })
  const uploaded = await fixture.service.upload(call, '甲.xlsx', toBuffers(bytes))
  await fixture.service.start(call, {
    transferId: uploaded.id,
    version: uploaded.version,
    dryRun: false,
    companyId,
  })
  const done = await fixture.waitFor(call, uploaded.id, 'done')
  expect(done).toMatchObject({ failed: 0, total: 39 })
  const first = await exportAll(demoCompany)
  expect(await exportAll(companyId)).toEqual(first)
  expect(first.结构?.find(([, , , , , building]) => building === '二号楼')?.slice(10)).toEqual([
    '=1+1',
    '是',
    '116.391275',
    '39.906217',
  ])
})

async function* toBuffers(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of bytes) yield Buffer.from(piece)
}

test('a row changes the values it gives, and an empty cell leaves the value unchanged', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  await fixture.run(call, companyId, smallCompany)
  const { areaM2: _, ...withoutArea } = household('1号楼', '1单元', '101')
  const changes = {
    structure: [
      { ...withoutArea, description: '一楼' },
      { project: '集团', company: '甲公司', stype: 's' },
    ],
    devices: [{ serial: 'V-1', kind: 'valve', minOpeningPct: '10', maxOpeningPct: '80', place: PLACE }],
  }
  expect(await fixture.run(call, companyId, changes)).toMatchObject({ changed: 3, failed: 0 })
  const { 结构: structure = [], 设备: devices = [] } = await exportAll(companyId)
  expect(structure.find((row) => row[7] === '101')?.slice(8)).toEqual(['90', '', '一楼'])
  expect(structure[2]).toEqual(['集团', '甲公司', '', '', '', '', '', '', '', 's'])
  expect(devices.find(([serial]) => serial === 'V-1')).toEqual([
    'V-1',
    '阀门',
    '阀',
    'DN25',
    PLACE,
    'C-1',
    '60',
    '',
    '',
    '10',
    '80',
  ])
  expect(await fixture.run(call, companyId, changes)).toMatchObject({ changed: 0, unchanged: 3 })
})

test('each invalid row fails with its reason, in the language of the caller, and the valid ones are imported', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const rows = {
    structure: [
      household('1号楼', '1单元', '101'),
      household('1号楼', '1单元', '101'),
      household('1号楼', '2单元', '101', '很大'),
      household('2-号楼', '1-1', '101'),
      { project: '集团', unit: '1单元' },
      { project: '集团', building: '1号楼' },
      { company: '甲公司' },
      { project: '集团', area: '甲公司' },
      { project: '集团', company: '乙公司', longitudeDeg: '120' },
    ],
    devices: [
      {
        serial: 'V-1',
        kind: '阀门',
        name: '阀',
        model: 'DN25',
        place: `${PLACE},1单元`,
        periodS: '60',
        meterNo: '1234',
      },
      { serial: 'V-2', kind: '水龙头', name: '阀', model: 'DN25', place: PLACE, periodS: '60' },
      { serial: 'V-3', kind: '阀门', name: '阀', model: 'DN25', place: '集团,哪里', periodS: '60' },
      {
        serial: 'V-4',
        kind: '阀门',
        name: '阀',
        model: 'DN25',
        place: PLACE,
        periodS: '60',
        concentrator: 'C-9',
      },
      { serial: 'V-5', kind: '阀门', place: PLACE },
      { serial: 'V-6', kind: '阀门', name: '阀', model: 'DN25', place: `${PLACE},2单元`, periodS: '60' },
      { serial: 'V-7', kind: '阀门', name: '阀', model: 'DN25', place: PLACE, periodS: '60' },
    ],
  }
  const { id, ...done } = await fixture.run(call, companyId, rows)
  expect(done).toMatchObject({ added: 2, failed: 14, done: 16, total: 16 })
  expect(await fixture.verdictsOf(await fixture.callOf('staff', 'en'), id)).toEqual([
    'added',
    'failed: Another row of the file describes the same object',
    'failed: "Heated area (m²)" must be a number from 0.1 to 10000000',
    'failed: "Unit" must not contain commas or hyphens',
    'failed: Units and households must be inside a building',
    'failed: A building needs at least one level above it (company, area, heat station or residential area)',
    'failed: "Project" is missing',
    'failed: The name is already used on another level',
    'failed: Give "Longitude (°)" together with its counterpart',
    'failed: "Meter number" does not apply to this kind of device or node',
    'failed: "Kind" is not valid',
    expect.stringContaining('failed: '),
    'failed: No concentrator has this serial',
    'failed: A new device needs a name, model, place and reporting period',
    expect.stringContaining('failed: '),
    'added',
  ])
  // Nodes that only failed rows name are not added: neither the second unit nor the second company.
  expect(await countNodes(companyId)).toBe(7)
})

test('a dry run refuses an unknown place of a new and of an existing device, as the import does', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const structure = [household('1号楼', '1单元', '101')]
  const valve = { kind: '阀门', name: '阀', model: 'DN25', periodS: '60' }
  await fixture.run(call, companyId, { structure, devices: [{ ...valve, serial: 'V-1', place: PLACE }] })
  const devices = [
    { ...valve, serial: 'V-1', place: '集团,哪里' },
    { ...valve, serial: 'V-2', place: '集团,哪里' },
  ]
  const { id } = await fixture.run(call, companyId, { devices }, true)
  const dry = await fixture.verdictsOf(call, id)
  expect(dry).toEqual([expect.stringMatching(/^failed: /), expect.stringMatching(/^failed: /)])
  const imported = await fixture.run(call, companyId, { devices })
  expect(await fixture.verdictsOf(call, imported.id)).toEqual(dry)
})

test('failed rows are downloaded as a workbook with the reasons, which can be corrected and imported', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const rows = { structure: [household('1号楼', '1单元', '101', '-1'), household('1号楼', '1单元', '102')] }
  const { id } = await fixture.run(call, companyId, rows)
  const { bytes } = await fixture.service.downloadFailed(call, id)
  const { 结构: [headings = [], failed = [], ...others] = [] } = await readWorkbook(bytes)
  expect(others).toEqual([])
  expect(headings.at(-1)).toBe('失败原因')
  expect(failed.at(-1)).toBe('“面积(m²)”应为 0.1 至 10000000 之间的数字')
  expect(failed.slice(0, 9)).toEqual(['集团', '甲公司', '', '一站', '东区', '1号楼', '1单元', '101', '-1'])
  const again = await fixture.service.downloadFailed(call, id)
  const uploaded = await fixture.service.upload(call, '乙.xlsx', toBuffers(again.bytes))
  await fixture.service.start(call, {
    transferId: uploaded.id,
    version: uploaded.version,
    dryRun: true,
    companyId,
  })
  expect(await fixture.waitFor(call, uploaded.id, 'checked')).toMatchObject({ failed: 1, total: 1 })
})

test('rows outside the grants fail as if the object did not exist, and reveal nothing', async () => {
  const call = await fixture.callOf('second')
  const below = (station: string, building: string) => ({
    project: '集团',
    company: '公司',
    station,
    residentialArea: station === '一号站' ? '东区' : '西区',
    building,
  })
  const rows = {
    structure: [
      below('一号站', '二号楼'),
      below('一号站', '新楼'),
      { project: '集团', company: '公司', station: '三号站' },
      below('二号站', '新楼'),
    ],
    devices: [
      { serial: 'V-b2u1', kind: '阀门', name: '改名' },
      { serial: 'V-b3u1', kind: '阀门', name: '改名' },
      { serial: 'V-b3u2', kind: '阀门', place: '集团,公司,一号站,东区,二号楼' },
      {
        serial: 'V-b3u2x',
        kind: '阀门',
        name: '新',
        model: 'T1',
        place: '集团,公司,二号站,西区,新楼',
        periodS: '60',
        concentrator: 'C-b2',
      },
    ],
  }
  const { id } = await fixture.run(call, demoCompany, rows)
  const verdicts = await fixture.verdictsOf(call, id)
  const [noNode, noDevice] = [verdicts[0], verdicts[4]]
  expect(noNode).toMatch(/^failed: /)
  expect(noDevice).toMatch(/^failed: /)
  expect(verdicts).toEqual([
    noNode,
    noNode,
    noNode,
    'added',
    noDevice,
    'changed',
    noNode,
    'failed: 没有此编号的集中器',
  ])
  const mine = await readWorkbook((await fixture.service.exportCompany(call, {})).bytes)
  expect(JSON.stringify(mine)).not.toMatch(/一号站|东区|二号楼|b2|b10/)
  expect(mine.结构?.map((row) => row.at(-1))).toContain('新楼')
})

test('importing the tree and importing devices need their own permissions', async () => {
  const call = await fixture.callOf('gardener')
  const rows = {
    structure: [{ project: '集团', company: '公司', station: '四号站' }],
    devices: [{ serial: 'V-b2u1', kind: '阀门', description: '新' }],
  }
  const { id } = await fixture.run(call, demoCompany, rows)
  expect(await fixture.verdictsOf(call, id)).toEqual([expect.stringMatching(/^failed: /), 'changed'])
})

test('only staff of the provider change the shared models', async () => {
  const [staff, second] = [await fixture.callOf('staff'), await fixture.callOf('second')]
  const rows = { models: [{ kind: '阀门', model: 'Z9', maker: '甲厂' }] }
  expect(await fixture.run(second, demoCompany, rows)).toMatchObject({ added: 1 })
  const other = { models: [{ kind: '阀门', model: 'Z9', maker: '乙厂' }] }
  expect(await fixture.run(second, demoCompany, other)).toMatchObject({ failed: 1 })
  expect(await fixture.run(staff, demoCompany, other)).toMatchObject({ changed: 1 })
})

test('all changes of an import belong to one entry of the operation log', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  await fixture.run(call, companyId, smallCompany)
  const { rows } = await readChanges(companyId)
  expect(rows).toEqual([{ operations: 1, nodes: 8, devices: 2 }])
})

async function readChanges(companyId: number) {
  return sql`
    select count(distinct operation_id) as operations, count(*) filter (where entity = 'node') as nodes,
      count(*) filter (where entity = 'device') as devices
    from operation_change where action = 'added' and (
      entity = 'node' and entity_id in (select id::text from node where company_id = ${companyId})
      or entity = 'device' and entity_id in (select id::text from device where company_id = ${companyId}))`.execute(
    fixture.core.db,
  )
}

test('a workbook that cannot be read fails with the reason', async () => {
  const call = await fixture.callOf('staff')
  const companyId = await addCompany()
  async function fail(rows: AsyncIterable<Buffer>) {
    const { id, version } = await fixture.service.upload(call, '甲.xlsx', rows)
    await fixture.service.start(call, { transferId: id, version, dryRun: true, companyId })
    return (await fixture.waitFor(call, id, 'failed')).fault
  }
  const sheet = (name: string, ...headings: string[]) => toWorkbook([{ name, widths: [], rows: [headings] }])
  expect(await fail(sheet('别的', '项目'))).toContain('结构')
  expect(await fail(sheet('结构', '项目', '小曲'))).toBe('工作表“结构”中有未知的列“小曲”')
  expect(await fail(sheet('Structure', 'Project', '项目'))).toContain('出现两次')
  expect(await fail(sheet('设备', '编号'))).toBe('工作表“设备”中缺少列“类型”')
  expect(await fail(toBuffers(cut(sheet('结构', '项目'))))).toContain('无法读取文件')
  await expect(fixture.service.upload(call, '甲.xlsx', toBuffers(one('编号,类型')))).rejects.toThrow(
    'unreadable',
  )
})

async function* one(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

async function* cut(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    yield piece
    return
  }
}

test('the template marks needed columns, offers words, has examples, and is imported as a file without rows', async () => {
  const { bytes } = fixture.service.getTemplate('en')
  const workbook = new Excel.Workbook()
  await workbook.xlsx.load(Uint8Array.from(await joinBytes(bytes)).buffer)
  expect(workbook.worksheets.map(({ name }) => name).join()).toBe(
    'Models,Structure,Devices,Pipes,Irrigation sources,Irrigation groups,Examples,Instructions',
  )
  const devices = workbook.getWorksheet('Devices')
  expect(devices?.rowCount).toBe(1)
  expect(devices?.getCell('A1')).toMatchObject({ value: 'Serial *', font: { color: { argb: 'FFC00000' } } })
  expect(devices?.getCell('F1').value).toBe('Concentrator')
  expect(devices?.getCell('B2').dataValidation).toMatchObject({
    type: 'list',
    formulae: ['"valve,heat-meter,room-sensor,station,concentrator,sensor"'],
  })
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const file = toBuffers(fixture.service.getTemplate('zh').bytes)
  const { id, version } = await fixture.service.upload(call, '甲.xlsx', file)
  await fixture.service.start(call, { transferId: id, version, companyId, dryRun: true })
  expect(await fixture.waitFor(call, id, 'checked')).toMatchObject({ total: 0 })
})

test.each(['zh', 'en'] as const)('the examples of the template can be imported: %s', async (language) => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const { id } = await fixture.run(call, companyId, texts[language].examples)
  const verdicts = await fixture.verdictsOf(call, id)
  // The models of another test may exist already.
  expect(verdicts.filter((verdict) => verdict === 'added').length).toBeGreaterThanOrEqual(11)
  expect(verdicts.filter((verdict) => verdict.startsWith('failed'))).toEqual([])
})

test('failed rows are grouped by sheet and cause, most rows first', async () => {
  const [call, companyId] = [await fixture.callOf('staff'), await addCompany()]
  const valve = { kind: '阀门', name: '阀', model: 'DN25', place: PLACE, periodS: '60' }
  const { id } = await fixture.run(
    call,
    companyId,
    {
      structure: [household('1号楼', '1单元', '101')],
      devices: [
        { ...valve, serial: 'V-1', concentrator: 'C-none' },
        { ...valve, serial: 'V-2', concentrator: 'C-none' },
        { ...valve, serial: 'V-3', concentrator: 'C-other' },
        { ...valve, serial: 'V-4', periodS: 'x' },
        { ...valve, serial: 'V-5', minOpeningPct: 'y' },
        { ...valve, serial: 'V-6' },
      ],
    },
    true,
  )
  const [first, second, ...rest] = await fixture.service.listCauses(call, id)
  expect(first).toMatchObject({ sheet: 'devices', rows: 3, first: [2, 3, 4], isSame: true })
  expect(first?.reason).toBe('没有此编号的集中器')
  expect(second).toMatchObject({ sheet: 'devices', rows: 2, first: [5, 6], isSame: false })
  expect(rest).toEqual([])
})
