import { addAlarmTarget as addAlarmTargetEndpoint } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlarmsBench, startAlarmsBench, startTestTarget } from '../alarms.testkit.ts'
import type { Alarms } from '../index.ts'
import { DeliveryError } from './delivery-fault.ts'
import { createTargetTest } from './target-test.pg.ts'
import { toSignature } from './webhook.ts'

let bench: AlarmsBench
let alarms: Alarms

beforeAll(async () => {
  bench = await startAlarmsBench()
  alarms = await bench.start()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await sql`truncate alarm_target, alarm_notice`.execute(bench.db)
})

const ROBOT = 'https://192.0.2.1/robot/send?access_token=k1-of-the-robot'
const SHOWN = 'https://192.0.2.1/robot/send?access_token=***'
const settings = {
  name: 'robot',
  severities: [],
  kinds: [],
  enabled: false,
  language: 'zh' as const,
  afterMin: 0,
}
const secret = 'a secret of the tests only'

const add = async (url = ROBOT) =>
  alarms.handlers.addAlarmTarget(
    { ...settings, channel: 'webhook', url, secret, node: await bench.nodeKey('s1') },
    bench.toCall(),
  )

async function readStored() {
  const { rows } = await sql<{ url: string; secret: string; version: number }>`
    select url, secret, version from alarm_target`.execute(bench.db)
  return rows
}

test('query values of a URL are never shown or logged', async () => {
  const added = await add()
  expect(added.url).toBe(SHOWN)
  const listing = { nodes: [], limiter: { page: 1, size: 100 } }
  const { datalist } = await alarms.handlers.getAlarmTargets(listing, bench.toCall())
  expect(datalist).toMatchObject([{ url: SHOWN }])
  const edited = { ...settings, id: added.id, version: added.version, url: `${ROBOT}-new` }
  expect(await alarms.handlers.editAlarmTarget(edited, bench.toCall())).toMatchObject({
    url: SHOWN,
    version: 2,
  })
  await alarms.handlers.deleteAlarmTargets({ items: [{ id: added.id, version: 2 }] }, bench.toCall())
  const { rows } = await sql<{ action: string; before: unknown; after: unknown }>`
    select action, before, after from operation_change where entity = 'alarm-target' order by id`.execute(
    bench.db,
  )
  expect(rows).toMatchObject([
    { action: 'added', after: { shown_url: SHOWN, url_rev: 1 } },
    // The change is visible.
    { action: 'changed', before: { url_rev: 1 }, after: { url_rev: 2 } },
    { action: 'removed', before: { shown_url: SHOWN, url_rev: 2 } },
  ])
  expect(JSON.stringify(rows)).not.toContain('k1')
})

test('a token in the path of a URL is never shown or logged', async () => {
  const secretUrl = 'https://192.0.2.1/services/T01/k1k1k1k1k1k1k1k1k1'
  const shown = 'https://192.0.2.1/services/T01/***'
  const { id, version, url } = await add(secretUrl)
  expect(url).toBe(shown)
  const renamed = await alarms.handlers.editAlarmTarget(
    { ...settings, name: 'other', id, version, url: shown },
    bench.toCall(),
  )
  expect(renamed).toMatchObject({ name: 'other', url: shown })
  expect((await readStored()).map((stored) => stored.url)).toEqual([secretUrl])
  const elsewhere = 'https://192.0.2.1/services/T02/***'
  await expect(
    alarms.handlers.editAlarmTarget({ ...settings, id, version: 2, url: elsewhere }, bench.toCall()),
  ).rejects.toMatchObject({ code: 'alarm-target.hidden-value' })
  const { rows } = await sql`
    select before, after from operation_change where entity = 'alarm-target' and entity_id = ${String(id)}`.execute(
    bench.db,
  )
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('k1')
})

test('saving the shown form of a URL leaves the URL unchanged', async () => {
  const { id, version } = await add()
  const edited = await alarms.handlers.editAlarmTarget(
    { ...settings, name: 'other', id, version, url: SHOWN },
    bench.toCall(),
  )
  expect(edited).toMatchObject({ name: 'other', url: SHOWN })
  expect(await readStored()).toEqual([{ url: ROBOT, secret, version: 2 }])
  // Hidden values cannot be sent elsewhere without knowing them.
  const elsewhere = 'https://192.0.2.1/other?access_token=***'
  await expect(
    alarms.handlers.editAlarmTarget({ ...settings, id, version: 2, url: elsewhere }, bench.toCall()),
  ).rejects.toMatchObject({ code: 'alarm-target.hidden-value' })
  await expect(add(SHOWN)).rejects.toMatchObject({ code: 'alarm-target.hidden-value' })
  expect(await readStored()).toEqual([{ url: ROBOT, secret, version: 2 }])
})

test('a new origin requires a new secret', async () => {
  const { id, version } = await add()
  const { editAlarmTarget } = alarms.handlers
  for (const url of [
    'https://192.0.2.2/robot/send',
    'http://192.0.2.1/robot/send',
    'https://192.0.2.1:8443/',
  ]) {
    await expect(editAlarmTarget({ ...settings, id, version, url }, bench.toCall())).rejects.toMatchObject({
      code: 'alarm-target.secret-needed',
    })
  }
  expect(await readStored()).toEqual([{ url: ROBOT, secret, version: 1 }])
  const url = 'https://192.0.2.2/robot/send'
  const fresh = 'another secret of the tests'
  const edited = await editAlarmTarget({ ...settings, id, version, url, secret: fresh }, bench.toCall())
  expect(edited).toMatchObject({ url, version: 2 })
  expect(await readStored()).toEqual([{ url, secret: fresh, version: 2 }])
  // Another path of the same origin needs no new secret.
  const within = 'https://192.0.2.2/robot/other'
  expect(await editAlarmTarget({ ...settings, id, version: 2, url: within }, bench.toCall())).toMatchObject({
    url: within,
  })
})

test('a company has at most twenty targets, also with concurrent additions', async () => {
  for (let nr = 0; nr < 18; nr += 1) await add()
  const added = await Promise.allSettled([add(), add(), add(), add()])
  const refused = added.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject([
    { code: 'alarm-target.too-many', params: { limit: 20 } },
    { code: 'alarm-target.too-many', params: { limit: 20 } },
  ])
  expect(await readStored()).toHaveLength(20)
})

test('a URL with user info is rejected', async () => {
  const given = { ...settings, secret, node: '1' }
  const { input } = addAlarmTargetEndpoint
  const faultOf = (url: string) => input.safeParse({ ...given, url }).error?.issues[0]?.message
  expect(faultOf('https://me@robot.example/')).toContain('before its host')
  expect(faultOf('https://:k1@robot.example/')).toContain('before its host')
  expect(faultOf('https://robot.example/@me')).toBeUndefined()
  expect(faultOf('nonsense')).toContain('no address of a channel')
})

test('a test is signed and sent at once, also to a disabled target, and returns the answer', async () => {
  const receiver = await startTestTarget()
  const { testAlarmTarget, getAlarmTargets } = alarms.handlers
  const { id } = await add(receiver.url)
  const readShown = async () => {
    const listing = { nodes: [], limiter: { page: 1, size: 100 } }
    return (await getAlarmTargets(listing, bench.toCall())).datalist[0]
  }
  receiver.answerWith(202)
  const at = bench.clock.now()
  expect(await testAlarmTarget({ id }, bench.toCall())).toEqual({ at, tookMs: 0, status: 202 })
  expect(receiver.tests).toMatchObject([{ notice: { event: 'test', at, company: 'demo' } }])
  for (const { body, signature } of receiver.tests)
    expect(signature).toBe(toSignature(secret, Math.floor(at / 1000), body))
  expect(await readShown()).toMatchObject({ sentAt: at, version: 1, waiting: 0, enabled: false })

  receiver.answerWith(500)
  bench.pass(60)
  expect(await testAlarmTarget({ id }, bench.toCall())).toMatchObject({ fault: 'status 500' })
  expect(await readShown()).toMatchObject({ sentAt: at, fault: 'status 500' })
  receiver.answerWith(200)
  await testAlarmTarget({ id }, bench.toCall())
  expect(await readShown()).not.toHaveProperty('fault')
  await receiver.stop()
  expect(await testAlarmTarget({ id }, bench.toCall())).toMatchObject({ fault: 'refused' })
})

test('testing a target requires handling of alarms and a grant for its place', async () => {
  const { id } = await add()
  const { testAlarmTarget } = alarms.handlers
  const reading = bench.toCall({ kind: 'all' }, ['pr-rtalarm'])
  await expect(testAlarmTarget({ id }, reading)).rejects.toMatchObject({ code: 'access.denied' })
  const elsewhere = bench.toCall({ kind: 'paths', paths: ['/987654321/'] })
  await expect(testAlarmTarget({ id }, elsewhere)).rejects.toMatchObject({ code: 'alarm-target.not-found' })
})

/** The database with a count of its answers. */
function countAnswers() {
  let answers = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answers += 1
      return result
    },
  }
  return { db: bench.db.withPlugin(counting), answered: () => answers }
}

test('an account sends at most twenty tests by SMS or mail in an hour', async () => {
  const { id } = await add()
  await sql`update alarm_target set channel = 'sms' where id = ${id}`.execute(bench.db)
  let sent = 0
  const deliver = async () => {
    sent += 1
    return 200
  }
  const test = createTargetTest({ db: bench.db, deliver, clock: bench.clock })
  const { caller } = bench.toCall()
  for (let count = 0; count < 20; count++) await test(caller, id)
  await expect(test(caller, id)).rejects.toMatchObject({ code: 'request.too-many' })
  expect(sent).toBe(20)
  bench.clock.advance(3_600_000)
  expect(await test(caller, id)).toMatchObject({ status: 200 })
})

test('two concurrent tests of a target send one message', async () => {
  const { id } = await add()
  const { db, answered } = countAnswers()
  const answers: ((status: number) => void)[] = []
  const deliver = () => new Promise<number>((resolve) => answers.push(resolve))
  const test = createTargetTest({ db, deliver, clock: bench.clock })
  const { caller } = bench.toCall()
  const both = Promise.all([test(caller, id), test(caller, id)])
  await expect.poll(answered).toBe(2)
  await new Promise((resolve) => setImmediate(resolve))
  expect(answers).toHaveLength(1)
  answers[0]?.(204)
  const [first, second] = await both
  expect(first).toMatchObject({ status: 204 })
  expect(second).toEqual(first)
  const again = test(caller, id)
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]?.(200)
  expect(await again).toMatchObject({ status: 200 })
})

test.each([
  ['its address', sql`url = 'https://192.0.2.3/robot'`],
  ['its secret', sql`secret = ${'y'.repeat(32)}`],
])('the result of a test is not stored if the target changed meanwhile, here %s', async (_, change) => {
  const { id } = await add('https://192.0.2.2/robot')
  const fail: (() => void)[] = []
  const deliver = () =>
    new Promise<number>((_, reject) => {
      fail.push(() => reject(new DeliveryError('refused')))
    })
  const test = createTargetTest({ db: bench.db, deliver, clock: bench.clock })
  const tested = test(bench.toCall().caller, id)
  await expect.poll(() => fail).toHaveLength(1)
  await sql`update alarm_target set ${change} where id = ${id}`.execute(bench.db)
  fail[0]?.()
  expect(await tested).toMatchObject({ fault: 'refused' })
  const { rows } = await sql`select fault from alarm_target where id = ${id}`.execute(bench.db)
  expect(rows).toEqual([{ fault: null }])
})

test('a test of a changed address does not share the running test', async () => {
  const { id } = await add('https://192.0.2.2/robot')
  const sent: { readonly url: string; readonly answer: (status: number) => void }[] = []
  const deliver = ({ url }: { readonly url: string }) =>
    new Promise<number>((answer) => {
      sent.push({ url, answer })
    })
  const { db, answered } = countAnswers()
  const test = createTargetTest({ db, deliver, clock: bench.clock })
  const { caller } = bench.toCall()
  const before = test(caller, id)
  await expect.poll(() => sent).toHaveLength(1)
  await sql`update alarm_target set url = 'https://192.0.2.3/robot' where id = ${id}`.execute(bench.db)
  const after = test(caller, id)
  await expect
    .poll(() => sent.map(({ url }) => url))
    .toEqual(['https://192.0.2.2/robot', 'https://192.0.2.3/robot'])
  sent[0]?.answer(200)
  expect(await before).toMatchObject({ status: 200 })
  // The running test is still shared after the older one has ended.
  const lookups = answered()
  const joined = test(caller, id)
  await expect.poll(answered).toBe(lookups + 1)
  await new Promise((resolve) => setImmediate(resolve))
  sent[1]?.answer(204)
  expect(await Promise.all([after, joined])).toMatchObject([{ status: 204 }, { status: 204 }])
  expect(sent).toHaveLength(2)
})
