import { createCipheriv } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startTestField } from '../../field/field.testkit.ts'
import type { PollMark } from '../../store/poll-marks.ts'
import { MAX_BODY } from './listener.ts'
import { signOnenetPush } from './signatures.ts'
import { METER, simulateMeterModule, simulateValveModule } from './simulated-modules.testkit.ts'
import { type PlatformKind, platformConfigs, simulatePlatform, TOKEN, toPush } from './simulator.testkit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const MODULES = {
  ctwing: '40edca19b0124480864366de4621de99',
  onenet: '862592051651472',
  iotda: 'P1_862592051651472',
}
const VALVE = '862592051651480'

/** A profile of properties, as the product model of `simulateValveModule` has them. */
const toProfile = (kind: PlatformKind) => {
  const property = (name: string) => (kind === 'onenet' ? name : `Meter.${name}`)
  return {
    v: 1,
    id: 'valve-properties',
    name: { zh: '阀', en: 'Valve' },
    kind: 'valve',
    pollPeriodS: 600,
    bus: {
      driver: 'properties',
      readings: [
        { metric: 'valve.opening', property: property('opening'), unit: '%' },
        { metric: 'temp.room', property: property('temperature'), scale: 0.1, unit: '°C' },
      ],
      commands: {
        opening:
          kind === 'onenet'
            ? { parameter: '3306_0_5851', unit: '%' }
            : { service: 'Meter', command: 'set', parameter: 'opening', unit: '%' },
      },
    },
  }
}

async function start(
  kind: PlatformKind,
  given: { stored?: () => Promise<void>; toLine?: (url: string) => object } = {},
) {
  const meter = simulateMeterModule(MODULES[kind])
  const valve = simulateValveModule(VALVE, 20, kind === 'onenet' ? '5851' : 'opening')
  const platform = await simulatePlatform(kind, [meter, valve])
  closers.push(platform.close)
  const open = async (marks?: ReadonlyMap<string, PollMark>) => {
    const place = { platformId: MODULES[kind], address: METER }
    const field = await startTestField(
      {
        v: 1,
        push: { port: 0 },
        profiles: [toProfile(kind)],
        lines: [
          {
            driver: 'northbound-http',
            id: 'N1',
            pushToken: TOKEN,
            ...platformConfigs[kind](platform.url),
            ...given.toLine?.(platform.url),
            devices: [
              { ...place, serial: 'M1', profile: 'heat-meter-cjt188' },
              { ...place, serial: 'V1', profile: 'valve-on-off-cjt188' },
              { platformId: VALVE, serial: 'V2', address: '1', profile: 'valve-properties' },
            ],
          },
        ],
      },
      marks,
      given.stored,
    )
    closers.push(field.close)
    platform.setPushUrl(`http://127.0.0.1:${field.pushPort}/push/N1`)
    return field
  }
  return { field: await open(), open, platform, meter, valve }
}

type Started = Awaited<ReturnType<typeof start>>
const energiesOf = (field: Started['field']): number[] =>
  field.of('M1').flatMap(({ m }) => m['heat.energy'] ?? [])
const toOrder = (serial: string, value: number, until = Date.now() + 60_000) =>
  ({ serial, target: 'opening', value, until, confirmStart: () => true }) as const
const kinds = ['ctwing', 'onenet', 'iotda'] as const

test.each(kinds)(
  '%s: stores a frame at the time of the platform, for a meter and its valve',
  async (kind) => {
    const { field, platform } = await start(kind)
    const at = Math.floor(Date.now() / 1_000) * 1_000 - 5_000
    await platform.uplink(MODULES[kind], at)
    expect(platform.backlog).toEqual([])
    expect(field.of('M1')).toMatchObject([
      { id: 'M1', ts: at, m: { 'heat.energy': 1, 'temp.supply': 48.25 } },
    ])
    expect(field.of('V1')).toMatchObject([{ id: 'V1', ts: at, m: { 'valve.opening': 100 } }])
    expect(field.lines[0]?.state()).toMatchObject({ isOpen: true, devices: 3, silent: 0 })
  },
)

test.each(kinds)('%s: a command waits for the next report, and a later report shows it', async (kind) => {
  const { field, platform, meter } = await start(kind)
  const line = field.find('V1')?.line
  const writing = line?.write(toOrder('V1', 0))
  await expect.poll(platform.waiting).toBe(1)
  expect(meter.state.writes).toEqual([])
  await platform.uplink(MODULES[kind])
  expect(await writing).toBe('acknowledged')
  expect(meter.state.writes).toEqual([0])
  const show = async () => (await line?.read('V1', Date.now() + 60_000))?.values.get('valve.opening')
  // The report before the command.
  expect(await show()).toBe(100)
  const next = show()
  await platform.uplink(MODULES[kind])
  expect(await next).toBe(0)
  expect(platform.log).toMatchObject({ calls: 1, refusedCalls: 0 })
})

test.each(kinds)('%s: a push that is repeated, also to the next process, is stored once', async (kind) => {
  let storing: Promise<void> = Promise.resolve()
  const { field, open, platform } = await start(kind, { stored: () => storing })
  await platform.uplink(MODULES[kind])
  // The next one is stored, and the process ends before it is answered; for one more the gateway is away.
  storing = new Promise(() => undefined)
  const pushing = platform.uplink(MODULES[kind])
  await expect.poll(() => energiesOf(field)).toEqual([1, 2])
  await field.close()
  await pushing
  await platform.uplink(MODULES[kind])
  expect(platform.backlog).toHaveLength(2)
  storing = Promise.resolve()
  const next = await open(field.marks)
  await platform.repeat()
  expect(platform.backlog).toEqual([])
  expect(energiesOf(next)).toEqual([3])
})

test.each(kinds)('%s: properties are read and set by a profile', async (kind) => {
  const { field, platform, valve } = await start(kind)
  await platform.uplink(VALVE)
  expect(field.of('V2')).toMatchObject([{ m: { 'valve.opening': 20, 'temp.room': 21.5 } }])
  const writing = field.find('V2')?.line.write(toOrder('V2', 45))
  await expect.poll(platform.waiting).toBe(1)
  await platform.uplink(VALVE)
  expect(await writing).toBe('acknowledged')
  expect(valve.state.writes).toEqual([45])
})

test.each(kinds)(
  '%s: what is not signed by the platform is refused, and its reason reported once',
  async (kind) => {
    const { field, platform } = await start(kind)
    const event = { timestamp: Date.now(), deviceId: 'x', messageType: 'online', resource: 'device.status' }
    const good = toPush(kind, event, Date.now())
    const forged = {
      ctwing: { ...good, path: `/${TOKEN.replace('1', '2')}` },
      onenet: { ...good, body: good.body.replace('online', 'dataReport') },
      iotda: { ...good, headers: { ...good.headers, nonce: 'other' } },
    }[kind]
    expect([await platform.post(forged), await platform.post({ ...forged, body: '' })]).toEqual(
      kind === 'onenet' ? [401, 400] : [401, 401],
    )
    expect(await platform.post({ path: '/more/path', headers: {}, body: good.body })).toBe(401)
    expect(await platform.post(good)).toBe(200)
    expect(field.readings).toEqual([])
    expect(field.problems.filter((text) => text.includes('wrong-signature'))).toEqual([
      'line N1: a push was refused: wrong-signature',
    ])
    expect(JSON.stringify(field.problems)).not.toContain(TOKEN.slice(0, 10))
  },
)

test('a report of yesterday and one of tomorrow are dropped, and answered: a platform would stop all pushes', async () => {
  const { field, platform } = await start('ctwing')
  await platform.uplink(MODULES.ctwing, Date.now() - 86_400_000)
  await platform.uplink(MODULES.ctwing, Date.now() + 86_400_000)
  expect(platform.backlog).toEqual([])
  expect(field.readings).toEqual([])
  expect(field.problems).toEqual(['line N1: a message was dropped: too-old'])
})

test('OneNET: of a push with an old and a new message the new one is stored', async () => {
  const { field, platform } = await start('onenet')
  const at = Date.now()
  const point = { type: 1, imei: VALVE, ds_id: 'opening' }
  const list = [
    { ...point, at: at - 86_400_000, value: 10 },
    { ...point, at, value: 30 },
  ]
  expect(await platform.post(toPush('onenet', list, at))).toBe(200)
  expect(field.of('V2')).toMatchObject([{ ts: at, m: { 'valve.opening': 30 } }])
  expect(field.problems).toEqual(['line N1: a message was dropped: too-old'])
})

test('IoTDA: a signature is of no use for another body, nor later', async () => {
  const { field, platform } = await start('iotda')
  const signed = toPush('iotda', { resource: 'device.status' }, Date.now())
  expect([await platform.post(signed), await platform.post(signed)]).toEqual([200, 200])
  expect(await platform.post({ ...signed, body: '{"resource":"device.property"}' })).toBe(403)
  // The signature is right, so the push is answered, but nothing of it is used.
  const old = toPush('iotda', platform.toReport(VALVE, Date.now()), Date.now() - 86_400_000)
  expect(await platform.post(old)).toBe(200)
  expect(field.readings).toEqual([])
})

test('IoTDA: without a signature the token may be the last part of the address', async () => {
  const { field, platform } = await start('iotda')
  const { toReport } = platform
  const toBody = (at: number) => JSON.stringify(toReport(VALVE, at))
  const post = (token: string, at: number) =>
    platform.post({ path: `/${token}`, headers: {}, body: toBody(at) })
  expect([await post(TOKEN, Date.now()), await post(`${TOKEN}1`, Date.now())]).toEqual([200, 401])
  expect(await post(TOKEN, Date.now() - 86_400_000)).toBe(200)
  expect(field.of('V2')).toHaveLength(1)
})

test('OneNET: the check of the address is answered, and a message of the secure mode is opened', async () => {
  const aesKey = '0123456789abcdef'
  const { field, platform } = await start('onenet', {
    toLine: (url) => ({ platform: { ...platformConfigs.onenet(url).platform, aesKey } }),
  })
  const url = `http://127.0.0.1:${field.pushPort}/push/N1`
  const query = new URLSearchParams({ msg: 'hello', nonce: 'abcdefgh' })
  query.set('signature', signOnenetPush(TOKEN, 'abcdefgh', 'hello'))
  expect(await (await fetch(`${url}?${query}`)).text()).toBe('hello')
  query.set('msg', 'other')
  expect((await fetch(`${url}?${query}`)).status).toBe(401)
  const params = { opening: { time: Date.now(), value: 30 } }
  const message = { messageType: 'notify', notifyType: 'property', imei: VALVE, data: { params } }
  const cipher = createCipheriv('aes-128-cbc', aesKey, aesKey)
  const msg = cipher.update(JSON.stringify(message), 'utf8', 'base64') + cipher.final('base64')
  const body = JSON.stringify({ msg, nonce: 'abcdefgh', signature: signOnenetPush(TOKEN, 'abcdefgh', msg) })
  expect(await platform.post({ path: '', headers: {}, body })).toBe(200)
  expect(field.of('V2')).toMatchObject([{ m: { 'valve.opening': 30 } }])
})

test('OneNET: the older form has its message as an object, or a list of them', async () => {
  const { field, platform } = await start('onenet')
  const at = Date.now()
  const point = { type: 1, imei: VALVE, at }
  const msg = `[${JSON.stringify({ ...point, ds_id: 'opening', value: 30 })} , ${JSON.stringify({ ...point, ds_id: 'temperature', value: 200 })}]`
  const signature = signOnenetPush(TOKEN, 'abcdefgh', msg)
  const body = `{ "msg" : ${msg}, "nonce":"abcdefgh", "msg_signature":"${signature}"}`
  expect(await platform.post({ path: '', headers: {}, body })).toBe(200)
  expect(field.of('V2')).toMatchObject([{ m: { 'valve.opening': 30 } }, { m: { 'temp.room': 20 } }])
})

test('what is too large, and an address that no line has, are refused; a device without configuration is listed', async () => {
  const { field, platform } = await start('ctwing')
  const large = { path: `/${TOKEN}`, headers: {}, body: ' '.repeat(MAX_BODY + 1) }
  expect(await platform.post(large)).toBe(413)
  expect(
    (await fetch(`http://127.0.0.1:${field.pushPort}/push/N2/${TOKEN}`, { method: 'POST' })).status,
  ).toBe(404)
  expect((await fetch(`http://127.0.0.1:${field.pushPort}/push/N1/${TOKEN}`, { method: 'PUT' })).status).toBe(
    404,
  )
  // Answered as received: after failures a platform stops the pushes of all devices.
  await platform.push({ messageType: 'dataReport', deviceId: 'other', timestamp: Date.now(), payload: {} })
  expect(platform.backlog).toEqual([])
  expect(field.problems).toEqual([
    'port of the pushes: a push was refused: too-large',
    'port of the pushes: a push was refused: unknown address',
    'line N1: a device that the configuration does not have reports: other',
  ])
})

test('no more than a hundred connections at a time', async () => {
  const { field } = await start('ctwing')
  const sockets = Array.from({ length: 101 }, () => connect(field.pushPort ?? 0, '127.0.0.1'))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => undefined)
  await expect.poll(() => sockets.filter(({ readyState }) => readyState === 'open').length).toBe(100)
  await expect.poll(() => field.problems).toEqual(['port of the pushes: a push was refused: too-many'])
})

test('a push arrives beside any number of connections that say nothing', async () => {
  const { field, platform } = await start('ctwing')
  const sockets = Array.from({ length: 100 }, () => connect(field.pushPort ?? 0, '127.0.0.1'))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => undefined)
  await expect.poll(() => sockets.every(({ readyState }) => readyState === 'open')).toBe(true)
  await platform.uplink(MODULES.ctwing)
  expect(platform.backlog).toEqual([])
  expect(energiesOf(field)).toEqual([1])
})

test('a push is answered when its readings are stored', async () => {
  const storing = Promise.withResolvers<void>()
  const { field, platform } = await start('ctwing', { stored: () => storing.promise })
  let isAnswered = false
  const pushing = platform.uplink(MODULES.ctwing).then(() => {
    isAnswered = true
  })
  await expect.poll(() => energiesOf(field)).toEqual([1])
  expect(isAnswered).toBe(false)
  storing.resolve()
  await pushing
  expect(platform.backlog).toEqual([])
})

test('a command that got lost on the air, one that the platform refuses, and one that it may have', async () => {
  const { field, platform, meter } = await start('ctwing')
  const line = field.find('V1')?.line
  platform.isDeaf = true
  const lost = line?.write(toOrder('V1', 0))
  await expect.poll(platform.waiting).toBe(1)
  await platform.uplink(MODULES.ctwing)
  expect(await lost).toBe('silence')
  expect(await line?.write(toOrder('V1', 50))).toBe('unsupported')
  expect(await line?.write({ ...toOrder('V1', 0), confirmStart: () => false })).toBe('withdrawn')
  await platform.close()
  expect(await line?.write(toOrder('V1', 0))).toBe('silence')
  expect(field.problems.at(-1)).toBe('line N1: a command was not accepted: TypeError')
  expect(meter.state.writes).toEqual([])
})

test('a wrong key of the API refuses the command', async () => {
  const { field, platform } = await start('ctwing', {
    toLine: (url) => ({ platform: { ...platformConfigs.ctwing(url).platform, appSecret: 'wrong' } }),
  })
  expect(await field.find('V1')?.line.write(toOrder('V1', 0))).toBe('refused')
  expect(platform.log).toMatchObject({ calls: 1, refusedCalls: 1 })
  expect(field.problems).toEqual(['line N1: a command was not accepted: HTTP status 401'])
})

test('an endless answer of the API is not read to its end', async () => {
  let left = false
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => {
      left = true
    })
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { field } = await start('ctwing', {
    toLine: () => platformConfigs.ctwing(`http://127.0.0.1:${port}`),
  })
  expect(await field.find('V1')?.line.write(toOrder('V1', 0))).toBe('silence')
  expect(field.problems).toEqual(['line N1: a command was not accepted: HTTP status 200'])
  await expect.poll(() => left).toBe(true)
})
