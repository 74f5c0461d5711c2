import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestTransfers, type Rows, readWorkbook, type TestTransfers } from './transfer.testkit.ts'

let fixture: TestTransfers
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers()
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  companyId = await fixture.addCompany('emitters')
})
afterAll(() => fixture.close())

const building = { project: '集团', company: '甲公司', building: '1号楼' }
const run = async (rows: Rows) => fixture.run(await fixture.callOf('staff'), companyId, rows)

test('heat emitters are imported with nodes, unchanged where a cell is empty, and exported', async () => {
  const structure = [
    { ...building, emitter: '地暖' },
    { ...building, unit: '1单元', household: '101', areaM2: '90', emitter: 'fan-coil' },
  ]
  expect(await run({ structure })).toMatchObject({ added: 2, failed: 0 })
  expect(await run({ structure })).toMatchObject({ unchanged: 2 })
  expect(await run({ structure: [{ ...building, description: '东侧' }] })).toMatchObject({ changed: 1 })
  const { bytes } = await fixture.service.exportCompany(await fixture.callOf('staff', 'en'), { companyId })
  const { Structure: [headings = [], ...rows] = [] } = await readWorkbook(bytes)
  const at = headings.indexOf('Emitter')
  expect(rows.map((row) => row[at] ?? '')).toEqual(['', '', 'floor', '', 'fan-coil'])
  const { id } = await run({ structure: [{ ...building, emitter: '火炉' }] })
  expect(await fixture.verdictsOf(await fixture.callOf('staff'), id)).toEqual(['failed: “末端”的内容无效'])
})
