import { randomBytes } from 'node:crypto'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { getRawFrames } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedGateway, connectGateway } from '../../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let gateway: ConnectedGateway

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', ['pd-devdebug'], [], 'provider')
  await server.createAccount('station', ['pd-devdebug'], ['s1'])
  await server.createAccount('stranger', ['pd-devdebug'], ['s2'])
  gateway = await connectGateway(server, 'C-b2', { reconnectPeriod: 0 })
})
afterAll(async () => {
  await gateway.leave()
  await server.stop()
})

const send = (message: object | Buffer) => gateway.send('raw', message)
const sendFrames = (seq: number, f: readonly object[]) =>
  send({ v: 1, boot: 1, seq, ts: 1_800_000_000_000 + seq, f })

async function request(account: string, serial: string, query: object = {}) {
  const token = (await server.logIn(account))['ht-api']
  const input = { deviceId: await server.deviceId(serial), ...query }
  const { code, data } = await server.call(endpoints.getRawFrames, input, token)
  return code ?? getRawFrames.output.parse(data)
}

test('frames are stored unchanged, once however often they are sent, and listed newest first', async () => {
  const cjt = 'fefe6825781250341100018103901f0016'
  await sendFrames(0, [{ id: 'V-b2u1', dir: 'tx', hex: '68aa16' }])
  for (let time = 0; time < 3; time += 1)
    await sendFrames(1, [
      { id: 'V-b2u1', ts: 1_799_999_999_000, hex: cjt },
      { id: '2511', hex: 'E5' },
    ])
  await send(Buffer.from([0x00, 0xff, 0x7b]))
  const { datalist, total } = getRawFrames.output.parse(await request('station', 'C-b2'))
  expect(total).toBe(4)
  const [valve, gateway] = [await server.deviceId('V-b2u1'), await server.deviceId('C-b2')]
  const own = { node: 'C-b2', receivedAt: expect.closeTo(Date.now(), -5) }
  expect(datalist).toEqual([
    { ...own, ts: own.receivedAt, named: '', deviceId: gateway, dir: 'rx', hex: '00ff7b' },
    { ...own, ts: 1_800_000_000_001, named: '2511', dir: 'rx', hex: 'e5' },
    { ...own, ts: 1_799_999_999_000, named: 'V-b2u1', deviceId: valve, dir: 'rx', hex: cjt },
    { ...own, ts: 1_800_000_000_000, named: 'V-b2u1', deviceId: valve, dir: 'tx', hex: '68aa16' },
  ])
  expect(await request('station', 'C-b2', { limiter: { page: 2, size: 3 } })).toMatchObject({
    datalist: [{ hex: '68aa16' }],
    total: 4,
  })
  expect(await request('station', 'V-b2u1')).toMatchObject({
    datalist: [{ hex: cjt }, { dir: 'tx' }],
    total: 2,
  })
  const until = datalist[0]?.receivedAt ?? 0
  expect(await request('station', 'C-b2', { to: until })).toMatchObject({ total: 3 })
})

test('one number with other bytes is another frame: a gateway that forgot its boot loses nothing', async () => {
  await sendFrames(7, [{ hex: '01' }])
  await sendFrames(7, [{ hex: '02' }])
  const { datalist } = getRawFrames.output.parse(await request('whole', 'C-b2'))
  expect(datalist.slice(0, 2).map(({ hex }) => hex)).toEqual(['02', '01'])
})

test('a frame may be as long as a message', async () => {
  const long = randomBytes(60_000)
  // Otherwise the bytes could be read as JSON and count as an envelope.
  long[0] = 0x68
  await send(long)
  const { datalist } = getRawFrames.output.parse(
    await request('whole', 'C-b2', { limiter: { page: 1, size: 1 } }),
  )
  expect(datalist[0]?.hex).toBe(long.toString('hex'))
})

test('a page behind the deepest allowed one is refused', async () => {
  expect(await request('whole', 'C-b2', { limiter: { page: 100, size: 100 } })).toMatchObject({
    datalist: [],
  })
  expect(await request('whole', 'C-b2', { limiter: { page: 101, size: 100 } })).toBe('request.malformed')
})

test("frames are listed for users who are granted the device; a gateway's list excludes devices elsewhere", async () => {
  expect(await request('stranger', 'C-b2')).toBe('device.not-found')
  await sendFrames(20, [{ id: 'V-b2u2', hex: 'aa' }])
  expect(await request('station', 'V-b2u2')).toMatchObject({ total: 1 })
  // The valve moved to another station, together with its former frames.
  await server.db
    .updateTable('device')
    .set({ node_id: await server.nodeId('b3') })
    .where('serial', '=', 'V-b2u2')
    .execute()
  await server.signals.send('registry_changed', '')
  const hexes = async (account: string, serial: string) => {
    const answer = await request(account, serial)
    return typeof answer === 'string' ? answer : answer.datalist.map(({ hex }) => hex)
  }
  await expect.poll(() => hexes('stranger', 'V-b2u2')).toEqual(['aa'])
  expect(await hexes('station', 'C-b2')).not.toContain('aa')
  expect(await hexes('whole', 'C-b2')).toContain('aa')
})
