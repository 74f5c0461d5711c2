import { createServer } from 'node:net'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { type AlarmsBench, startAlarmsBench } from '../alarms.testkit.ts'
import { claimNotices, type NoticeClaim, OF_ONE_COMPANY, recordFailed, recordSent } from './notices.pg.ts'
import { type Sender, startSender } from './sender.ts'
import { createTargetCheck } from './target-address.ts'
import { createWebhook } from './webhook.ts'

let bench: AlarmsBench
const companies = { demo: 0, other: 0 }

beforeAll(async () => {
  bench = await startAlarmsBench()
  await sql`insert into company (tenant, name, time_zone) values ('other', 'other', 'Asia/Shanghai')`.execute(
    bench.db,
  )
  for (const { id, tenant } of await bench.db.selectFrom('company').select(['id', 'tenant']).execute()) {
    if (tenant === 'demo' || tenant === 'other') companies[tenant] = id
  }
})
afterAll(() => bench.close())
beforeEach(async () => {
  await sql`truncate alarm, alarm_event, alarm_target, alarm_notice`.execute(bench.db)
})

/** A target of a company with a number of waiting notices, each of another alarm. */
async function addWaiting(company: number, url: string, messages: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into alarm_target (company_id, node_id, name, url, shown_url, secret, severities, kinds, enabled)
    select ${company}, node_id, 'target', ${url}, ${url}, 'a secret of the tests only', '{}', '{}', true
    from device where id = ${bench.idOf('R-b2u1')} returning id`.execute(bench.db)
  const id = rows[0]?.id ?? 0
  await sql`
    with raised as (
      insert into alarm (company_id, kind, severity, state, device_id, path, raised_at, told)
      select company_id, 'room-cold', 'minor', 'ended', id, '/', now(), 'cleared'
      from device, generate_series(1, ${messages}::int) where id = ${bench.idOf('R-b2u1')} returning id)
    insert into alarm_notice (key, target_id, alarm_id, body, next_at, created_at)
    select raised.id || ' to ' || ${id}::text, ${id}, raised.id, '{}', ${new Date(bench.clock.now())}, now()
    from raised`.execute(bench.db)
  return id
}

const take = (query: Partial<NoticeClaim> = {}) =>
  claimNotices(bench.db, {
    now: bench.clock.now(),
    limit: 64,
    leaseMs: MINUTE_MS,
    sending: [],
    resting: [],
    ...query,
  })

const start = (): Sender =>
  startSender({
    clock: bench.clock,
    log: createLog({ logLevel: 'silent' }),
    storeDue: async () => 0,
    take: (query) => claimNotices(bench.db, query),
    recordSent: (notice, at) => recordSent(bench.db, notice, at),
    recordFailed: (notice, failure, nextAt) => recordFailed(bench.db, notice, failure, nextAt),
    deliver: createWebhook(createTargetCheck({ mayBeLocal: true, services: [] })),
  })

/** A receiver that always sends `answer`, or never answers. */
async function startReceiver(answer?: string) {
  const open = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    if (answer !== undefined) socket.once('data', () => socket.write(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    countOpen: () => open.size,
    async stop() {
      const ended = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await ended
    },
  }
}

test('companies take turns, and so do the targets of a company', async () => {
  const url = 'http://192.0.2.1/'
  const first = await addWaiting(companies.demo, url, 5)
  const second = await addWaiting(companies.demo, url, 5)
  const last = await addWaiting(companies.other, url, 5)
  expect((await take({ limit: 3 })).map(({ targetId }) => targetId).toSorted()).toEqual([first, second, last])
})

test('a target gets four notices at a time, a failing one gets one, a busy one gets none', async () => {
  const url = 'http://192.0.2.1/'
  const good = await addWaiting(companies.demo, url, 9)
  const failing = await addWaiting(companies.demo, url, 9)
  const resting = await addWaiting(companies.demo, url, 9)
  const busy = await addWaiting(companies.other, url, 9)
  await bench.db.updateTable('alarm_target').set({ fault: 'status 503' }).where('id', '=', failing).execute()
  const sending = [{ targetId: busy, companyId: companies.other }]
  const taken = (await take({ sending, resting: [resting] })).map(({ targetId }) => targetId)
  expect(taken.toSorted()).toEqual([good, good, good, good, failing])
})

test('a company gets at most eight notices at a time, including those in progress', async () => {
  const url = 'http://192.0.2.1/'
  for (let nr = 0; nr < 5; nr += 1) await addWaiting(companies.demo, url, 9)
  const busy = await addWaiting(companies.demo, url, 9)
  const sending = Array.from({ length: 3 }, () => ({ targetId: busy, companyId: companies.demo }))
  expect(await take({ sending })).toHaveLength(OF_ONE_COMPANY - 3)
})

test('twenty silent receivers of one company do not delay another company', async () => {
  const dead = await startReceiver()
  const good = await startReceiver('HTTP/1.1 204 No Content\r\n\r\n')
  for (let nr = 0; nr < 20; nr += 1) await addWaiting(companies.demo, dead.url, 10)
  const target = await addWaiting(companies.other, good.url, 6)
  const sender = start()
  const listSent = () =>
    bench.db
      .selectFrom('alarm_notice')
      .select('id')
      .where('target_id', '=', target)
      .where('state', '=', 'sent')
      .execute()
  // Before the first timeout of the others.
  await expect
    .poll(
      () => {
        bench.clock.advance(1)
        return listSent()
      },
      { timeout: 8_000 },
    )
    .toHaveLength(6)
  await expect.poll(dead.countOpen).toBe(OF_ONE_COMPANY)
  await dead.stop()
  await sender.close()
  await good.stop()
})

test('closing the sender ends it, whatever receivers answer', async () => {
  const odd = await startReceiver(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  )
  const target = await addWaiting(companies.demo, odd.url, 1)
  const sender = start()
  await expect
    .poll(() => {
      bench.clock.advance(1)
      return odd.countOpen()
    })
    .toBe(1)
  await sender.close()
  const [stored] = await bench.db
    .selectFrom('alarm_target')
    .select('fault')
    .where('id', '=', target)
    .execute()
  expect(stored?.fault).toBe('no answer')
  await odd.stop()
})
