import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { createLog } from '../../../platform/log.ts'
import { LostRun, proceed } from '../runs/lease.pg.ts'
import { createTestTransfers, type TestTransfers } from '../transfer.testkit.ts'
import { createRunner } from './runner.ts'

let fixture: TestTransfers
let call: Call

beforeAll(async () => {
  fixture = await createTestTransfers({ isWorking: false })
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  call = await fixture.callOf('staff')
})
afterAll(() => fixture.close())

async function start(companyId: number): Promise<number> {
  const rows = { structure: [{ project: '集团', company: '甲公司', building: '1号楼' }] }
  const { id, version } = await fixture.upload(call, rows)
  await fixture.service.start(call, { transferId: id, version, dryRun: true, companyId })
  return id
}

test('imports of two companies run at once, one of each, and companies take turns', async () => {
  const [busy, second, third] = [
    await fixture.addCompany('busy'),
    await fixture.addCompany('second'),
    await fixture.addCompany('third'),
  ]
  const many = [await start(busy), await start(busy), await start(busy)]
  const others = [await start(second), await start(third)]
  const started: number[] = []
  const ends = new Map<number, () => void>()
  const runner = createRunner({
    ...fixture.core,
    kind: 'registry',
    log: createLog({ logLevel: 'silent' }),
    async work({ transfer: { id }, worker }) {
      started.push(id)
      await new Promise<void>((end) => ends.set(id, end))
      await proceed(fixture.core.db, id, worker, 'checked')
    },
  })
  const order = [many[0], others[0], others[1], many[1], many[2]]
  try {
    fixture.core.clock.advance(0)
    await expect.poll(() => new Set(started)).toEqual(new Set(order.slice(0, 2)))
    // The second import of the busy company is older than that of the third one, which had no turn yet.
    for (const [at, id] of [order[0], order[2], order[3]].entries()) {
      ends.get(id ?? 0)?.()
      await expect.poll(() => started.slice(2)).toEqual(order.slice(2, at + 3))
    }
  } finally {
    for (const end of ends.values()) end()
    await runner.close()
  }
})

test('a run whose lease lapsed may be claimed by the same server again, and then cannot be ended by its former claim', async () => {
  const id = await start(await fixture.addCompany('slow'))
  const workers: string[] = []
  const ended = Promise.withResolvers<void>()
  const runner = createRunner({
    ...fixture.core,
    kind: 'registry',
    log: createLog({ logLevel: 'silent' }),
    async work({ transfer, worker }) {
      if (transfer.id === id) workers.push(worker)
      await ended.promise
    },
  })
  try {
    fixture.core.clock.advance(0)
    await expect.poll(() => workers.length).toBe(1)
    await sql`update transfer set lease_until = now() where id = ${id}`.execute(fixture.core.db)
    fixture.core.clock.advance(5_000)
    await expect.poll(() => workers.length).toBe(2)
    await expect(proceed(fixture.core.db, id, workers[0] ?? '', 'checked')).rejects.toThrow(LostRun)
  } finally {
    ended.resolve()
    await runner.close()
  }
})
