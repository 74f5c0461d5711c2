import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTransferService } from '../service.ts'
import { createTestTransfers, readWorkbook, type TestTransfers } from '../transfer.testkit.ts'

let fixture: TestTransfers
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers({ isWorking: false })
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  await fixture.core.createAccount('second', permissions, ['s2'])
  await fixture.core.createAccount('one', permissions, [])
  const row = await fixture.core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  companyId = row.id
})
afterAll(() => fixture.close())

test('an export longer than a sheet is refused with its rows and the limit; a part of it succeeds', async () => {
  const service = createTransferService({ ...fixture.core, maxRows: 14 })
  const [staff, second] = [await fixture.callOf('staff'), await fixture.callOf('second')]
  await expect(service.exportCompany(staff, { companyId })).rejects.toMatchObject({
    code: 'transfer.too-many-rows',
    params: { rows: 21, limit: 14 },
  })
  const node = await fixture.core.nodeKey('s1')
  expect(Object.keys(await readWorkbook((await service.exportCompany(staff, { node })).bytes))).toHaveLength(
    6,
  )
  expect(Object.keys(await readWorkbook((await service.exportCompany(second, {})).bytes))).toHaveLength(6)
})

test('exactly as many rows as a sheet can hold are exported', async () => {
  const staff = await fixture.callOf('staff')
  const service = (maxRows: number) => createTransferService({ ...fixture.core, maxRows })
  await expect(service(20).exportCompany(staff, { companyId })).rejects.toMatchObject({
    code: 'transfer.too-many-rows',
  })
  await expect(service(21).exportCompany(staff, { companyId })).resolves.toBeDefined()
})

test('a device granted individually is exported, but not its node', async () => {
  await sql`
    insert into account_device (account_id, device_id)
    select account.id, device.id from account, device where account = 'one' and serial = 'V-b3u1'`.execute(
    fixture.core.db,
  )
  const call = await fixture.callOf('one')
  const { 设备: devices = [], 结构: structure = [] } = await readWorkbook(
    (await fixture.service.exportCompany(call, {})).bytes,
  )
  expect(devices.slice(1).map(([serial]) => serial)).toEqual(['V-b3u1'])
  expect(structure).toHaveLength(1)
})
