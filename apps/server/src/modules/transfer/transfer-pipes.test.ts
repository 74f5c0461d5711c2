import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cells } from './sheets/columns.ts'
import { createTestTransfers, type Rows, readWorkbook, type TestTransfers } from './transfer.testkit.ts'

let fixture: TestTransfers
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers()
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  await fixture.core.createAccount('second', permissions, ['s2'])
  await fixture.core.createAccount('gardener', ['pd-fmdevmanager'], ['p'])
  companyId = await fixture.addCompany('pipes')
})
afterAll(() => fixture.close())

const AREA = '集团,甲公司,一站,东区'
const structure = [
  { project: '集团', company: '甲公司', station: '一站', residentialArea: '东区', building: '1号楼' },
  { project: '集团', company: '甲公司', station: '一站', residentialArea: '东区', building: '2号楼' },
]
const main: Cells = { from: '集团,甲公司,一站', to: AREA, lengthM: '210.5', innerDiameterMm: '158' }
const branch: Cells = {
  from: AREA,
  to: `${AREA},1号楼`,
  lengthM: '35',
  innerDiameterMm: '53',
  material: 'pe-rt',
  roughnessMm: '0.015',
  laidYear: '2019',
}
const pipesOf = async (node?: string) => {
  const { bytes } = await fixture.service.exportCompany(
    await fixture.callOf(node === undefined ? 'staff' : 'second'),
    node === undefined ? { companyId } : { node },
  )
  return (await readWorkbook(bytes)).管段
}
const run = async (rows: Rows, dryRun = false) =>
  fixture.run(await fixture.callOf('staff'), companyId, rows, dryRun)

test('pipes are imported with the nodes they connect, and exported unchanged', async () => {
  const rows = { structure, pipes: [main, branch] }
  expect(await run(rows, true)).toMatchObject({ added: 4, failed: 0 })
  expect(await pipesOf()).toHaveLength(1)
  expect(await run(rows)).toMatchObject({ added: 4, failed: 0, done: 4 })
  const pipes = [
    ['起点', '终点', '长度(m)', '内径(mm)', '管材', '粗糙度(mm)', '敷设年份'],
    ['集团,甲公司,一站', AREA, '210.5', '158', '钢管'],
    [AREA, `${AREA},1号楼`, '35', '53', 'PE-RT', '0.015', '2019'],
  ]
  expect(await pipesOf()).toEqual(pipes)
  expect(await run(rows)).toMatchObject({ added: 0, changed: 0, unchanged: 4 })
})

test('a row with swapped ends is the same pipe, and an empty cell leaves the value unchanged', async () => {
  const turned = { from: AREA, to: '集团,甲公司,一站', laidYear: '1998' }
  expect(await run({ pipes: [turned] })).toMatchObject({ changed: 1, failed: 0 })
  expect((await pipesOf())?.[1]).toEqual(['集团,甲公司,一站', AREA, '210.5', '158', '钢管', '', '1998'])
  expect(await run({ pipes: [turned] })).toMatchObject({ unchanged: 1 })
})

test('each invalid row fails with its reason, and the valid ones are stored', async () => {
  const [from, to] = [AREA, `${AREA},2号楼`]
  const good = { from, to, lengthM: '40', innerDiameterMm: '41' }
  const { id } = await run({
    pipes: [
      good,
      { ...good, from: to, to: from },
      { from: to, to: `${AREA},1号楼`, lengthM: '40' },
      { ...good, to: `${AREA},9号楼` },
      { ...good, to: from },
      { ...good, lengthM: '0' },
      { ...good, material: '木管' },
      { from },
    ],
  })
  expect(await fixture.verdictsOf(await fixture.callOf('staff'), id)).toEqual([
    'added',
    'failed: 文件中另一行已描述同一对象',
    'failed: 新管段须填写长度和内径',
    'failed: 该节点不存在，或不在您的权限范围内',
    'failed: “终点”的内容无效',
    'failed: “长度(m)”应为 0.1 至 20000 之间的数字',
    'failed: “管材”的内容无效',
    'failed: 缺少“终点”',
  ])
})

test('accounts that may edit the tree import pipes, between granted nodes only', async () => {
  const { id: demo } = await fixture.core.db
    .selectFrom('company')
    .select('id')
    .where('tenant', '=', 'demo')
    .executeTakeFirstOrThrow()
  const at = (node: string) => `集团,公司,${node}`
  const own = { from: at('二号站'), to: at('二号站,西区'), lengthM: '90', innerDiameterMm: '82.5' }
  const foreign = { ...own, from: at('一号站'), to: at('一号站,东区') }
  const verdicts = async (account: string) => {
    const call = await fixture.callOf(account)
    const { id } = await fixture.run(call, demo, { pipes: [own, foreign, { ...own, to: at('一号站') }] })
    return fixture.verdictsOf(call, id)
  }
  expect((await verdicts('gardener')).every((verdict) => verdict.startsWith('failed'))).toBe(true)
  const missing = 'failed: 该节点不存在，或不在您的权限范围内'
  expect(await verdicts('second')).toEqual(['added', missing, missing])
  expect(await pipesOf(await fixture.core.nodeKey('s2'))).toHaveLength(2)
})
