import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cells } from '../sheets/columns.ts'
import { createTestTransfers, readWorkbook, type TestTransfers } from '../transfer.testkit.ts'

let fixture: TestTransfers
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers()
  await fixture.core.createAccount('metering', ['ps-oraigionsys', 'pd-devdebug', 'pd-caldevmanager'], ['p'])
  await fixture.core.createAccount('debugger', ['ps-oraigionsys', 'pd-devdebug'], ['p'])
  await fixture.core.createAccount('unit', ['ps-oraigionsys', 'pd-fmdevmanager'], ['b3u1'])
  const row = await fixture.core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  companyId = row.id
})

afterAll(() => fixture.close())

const device = (serial: string, kind: string): Cells => ({
  serial,
  kind,
  name: '新',
  model: 'T1',
  periodS: '60',
  place: '集团,公司,一号站,东区,二号楼',
})
const denied = 'failed: 您没有此操作的权限，如需使用请联系管理员'

test('importing devices and models of a kind needs the permission for that kind', async () => {
  const call = await fixture.callOf('metering')
  const rows = {
    models: [
      { kind: '阀门', model: '门一', maker: '甲厂' },
      { kind: '热量表', model: '表一', maker: '甲厂' },
    ],
    devices: [
      { serial: 'V-b2u1', kind: '阀门', name: '别的门' },
      device('V-new', '阀门'),
      { serial: 'V-b2u2', kind: '阀门' },
      { serial: 'V-b3u1', kind: '热量表', name: '别的门' },
      device('M-new', '热量表'),
    ],
  }
  const { id } = await fixture.run(call, companyId, rows)
  expect(await fixture.verdictsOf(call, id)).toEqual([
    denied,
    'added',
    denied,
    denied,
    'unchanged',
    'failed: 已有同编号的其他类型设备',
    'added',
  ])
})

test('the permission for testing devices does not allow importing them', async () => {
  const call = await fixture.callOf('debugger')
  const { id } = await fixture.run(call, companyId, {
    models: [{ kind: '热量表', model: '表二' }],
    devices: [device('M-other', '热量表'), { serial: 'V-b2u1', kind: '阀门', name: '改名' }],
  })
  expect(await fixture.verdictsOf(call, id)).toEqual([denied, denied, denied])
})

test('a concentrator outside the grants is not revealed, and a row with the current concentrator is unchanged', async () => {
  const call = await fixture.callOf('unit')
  const { 设备: devices = [] } = await readWorkbook((await fixture.service.exportCompany(call, {})).bytes)
  expect(devices.map(([serial]) => serial)).toContain('V-b3u1')
  expect(JSON.stringify(devices)).not.toContain('C-b3')
  const valve = { serial: 'V-b3u1', kind: '阀门' }
  const same = await fixture.run(call, companyId, { devices: [{ ...valve, concentrator: 'C-b3' }] })
  expect(await fixture.verdictsOf(call, same.id)).toEqual(['unchanged'])
  const other = await fixture.run(call, companyId, { devices: [{ ...valve, concentrator: 'C-b2' }] })
  expect(await fixture.verdictsOf(call, other.id)).toEqual(['failed: 没有此编号的集中器'])
})
