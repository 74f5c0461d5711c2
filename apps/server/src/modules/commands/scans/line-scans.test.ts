import { replyCodes } from '@isotherm/contract/mqtt'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { createTestOperation } from '../../../platform/operation/operation.testkit.ts'
import { startCommandsBench, toReply } from '../commands.testkit.ts'
import type { Commands } from '../index.ts'

let bench: Awaited<ReturnType<typeof startCommandsBench>>
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench()
}, 120_000)
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  await bench.db.deleteFrom('line_scan').execute()
  commands = await bench.start()
})
afterEach(() => commands.close())

const toManage = () => ({
  ...createTestCall({ permissions: new Set(['pd-datadevmanager', 'pd-fmdevmanager']) }),
  operation: createTestOperation({ account: 'keeper' }),
})
const from = { tenant: 'test', gateway: 'C1' }
const start = (line = 'L1', serial = 'C1') =>
  commands.scans.start(toManage(), { deviceId: bench.idOf(serial), line, method: 'mbus-secondary' })
const stop = (line = 'L1') => commands.scans.stop(toManage(), { deviceId: bench.idOf('C1'), line })
const look = async (line = 'L1') =>
  (await commands.scans.list(toManage().caller, bench.idOf('C1'))).find((scan) => scan.line === line)
const scan = { requested: 12, of: 31, found: 2, known: 1, collisions: 0 }

/** A reply with a progress. */
function say(
  id: string,
  stage: 'accepted' | 'running' | 'done',
  code = replyCodes.ok as number,
  over: object = {},
) {
  const reply = JSON.parse(new TextDecoder().decode(toReply(id, 'C1', stage, code)))
  const body = JSON.stringify({ ...reply, ...(stage === 'accepted' ? {} : { res: { scan } }), ...over })
  return commands.acceptReply(from, new TextEncoder().encode(body))
}

it('asks the gateway to search a line, and shows its progress and its end', async () => {
  const { id, outcome } = await start()
  expect(outcome).toBe('waiting')
  await expect.poll(() => bench.published).toHaveLength(1)
  expect(bench.published[0]).toMatchObject({
    topic: 'hx/v1/test/C1/down/cmd',
    body: { v: 1, id, dev: 'C1', do: 'scan', args: { line: 'L1', method: 'mbus-secondary' } },
  })
  await say(id, 'accepted')
  expect(await look()).toMatchObject({ id, outcome: 'searching' })
  await say(id, 'running')
  expect(await look()).toMatchObject({ outcome: 'searching', progress: scan })
  await say(id, 'done')
  const ended = await look()
  expect(ended).toMatchObject({ outcome: 'done', progress: scan, actor: 'keeper' })
  expect(ended?.endedAt).toBeDefined()
})

it('a search that goes on is not started again; each line has its own', async () => {
  const [first, second, other] = await Promise.all([start(), start(), start('L2')])
  expect(second?.id).toBe(first?.id)
  expect(other?.id).not.toBe(first?.id)
  await expect.poll(() => bench.published).toHaveLength(2)
  await say(first.id, 'done')
  expect((await start()).id).not.toBe(first.id)
})

it('is stopped by its own message, and counts as stopped when the gateway reports it', async () => {
  expect(await stop()).toBeNull()
  const { id } = await start()
  await say(id, 'accepted')
  expect(await stop()).toMatchObject({ outcome: 'searching' })
  await expect.poll(() => bench.published).toHaveLength(2)
  expect(bench.published[1]).toMatchObject({ body: { id, dev: 'C1', do: 'stopScan' } })
  await say(id, 'done', 0, { msg: 'stopped' })
  expect(await look()).toMatchObject({ outcome: 'stopped' })
})

it('stops a search that was taken for lost and makes the gateway refuse the next one', async () => {
  const lost = await start()
  await say(lost.id, 'running')
  bench.clock.shiftMs = MINUTE_MS + SECOND_MS
  const refused = await start()
  expect(refused.id).not.toBe(lost.id)
  await say(refused.id, 'accepted', replyCodes.busy)
  expect(await stop()).toMatchObject({ id: refused.id, outcome: 'busy' })
  await expect.poll(() => bench.published).toHaveLength(3)
  expect(bench.published[2]).toMatchObject({ body: { id: lost.id, dev: 'C1', do: 'stopScan' } })
})

it('a gateway that is offline is not requested; one that reports nothing more has lost the search', async () => {
  bench.broker.gone.add('C1')
  expect(await start()).toMatchObject({ outcome: 'gateway-offline' })
  expect(bench.published).toEqual([])
  bench.broker.gone.clear()
  const { id } = await start()
  await say(id, 'running')
  bench.clock.shiftMs = MINUTE_MS + SECOND_MS
  expect(await look()).toMatchObject({ outcome: 'gateway-silent', progress: scan })
})

it.each([
  [replyCodes.unsupported, 'unsupported'],
  [replyCodes.badArguments, 'unsupported'],
  [replyCodes.noSuchChild, 'unknown-line'],
  [replyCodes.busTimeout, 'line-offline'],
  [replyCodes.busy, 'busy'],
  [replyCodes.superseded, 'withdrawn'],
  [replyCodes.expired, 'expired'],
  [replyCodes.deviceFailure, 'failed'],
] as const)('code %i means %s', async (code, outcome) => {
  const { id } = await start()
  await say(id, 'accepted', code)
  expect(await look()).toMatchObject({ outcome, code })
})

it('takes answers of the gateway only, and searches no line of a device behind one', async () => {
  const { id } = await start()
  const other = { tenant: 'test', gateway: 'C2' }
  expect(await commands.acceptReply(other, toReply(id, 'C1', 'done'))).toBe('unknown-command')
  expect(await commands.acceptReply(from, toReply(id, 'V1', 'done'))).toBe('unknown-command')
  expect(await commands.acceptReply(from, toReply('scan-none', 'C1', 'done'))).toBe('unknown-command')
  expect(await look()).toMatchObject({ outcome: 'waiting' })
  await expect(start('L1', 'V1')).rejects.toMatchObject({ code: 'device.no-gateway' })
})
