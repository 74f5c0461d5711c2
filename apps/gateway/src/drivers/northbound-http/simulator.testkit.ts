import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signCtwingCall, signHuaweiCall, signIotdaPush, signOnenetPush, toOnenetToken } from './signatures.ts'

export type PlatformKind = 'ctwing' | 'onenet' | 'iotda'

/** A module of NB-IoT with what is behind it. */
export interface SimulatedModule {
  readonly platformId: string
  /** The frame or the properties of its next report. */
  readonly report: () => Uint8Array | Readonly<Record<string, unknown>>
  /** A command has arrived: bytes, or what its platform has instead. */
  readonly receive?: (command: Uint8Array | Readonly<Record<string, unknown>>) => void
}

interface Command {
  readonly id: string
  readonly platformId: string
  readonly content: Uint8Array | Readonly<Record<string, unknown>>
}

export const TOKEN = 'PushTokenOf32LettersAndDigits001'
const ACCESS_KEY = Buffer.from('access key of the product').toString('base64')

/** The configuration of a line for a platform at `url`. */
export const platformConfigs = {
  ctwing: (url: string) => ({
    platform: {
      kind: 'ctwing',
      url,
      appKey: 'appKey1',
      appSecret: 'appSecret1',
      productId: '15114816',
      masterKey: 'masterKey1',
    },
  }),
  onenet: (url: string) => ({
    platform: { kind: 'onenet', url, version: '2020-05-29', res: 'userid/38055', accessKey: ACCESS_KEY },
    frames: { up: '3200_0_5750', down: '3200_0_5750', encoding: 'hex' },
  }),
  iotda: (url: string) => ({
    platform: {
      kind: 'iotda',
      url,
      projectId: 'p1',
      accessKey: 'AK1',
      secretKey: 'SK1',
      region: 'cn-north-4',
    },
    frames: { up: 'Meter.frame', down: 'Meter.write.frame', encoding: 'base64' },
  }),
} as const

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const toShort = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

/** A signed push as a platform sends it. */
export interface SignedPush {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function toPush(kind: PlatformKind, message: unknown, now: number): SignedPush {
  if (kind === 'ctwing') return { path: `/${TOKEN}`, headers: {}, body: JSON.stringify(message) }
  const nonce = randomUUID().slice(0, 8)
  if (kind === 'iotda') {
    const timestamp = String(now)
    const headers = { timestamp, nonce, signature: signIotdaPush(TOKEN, timestamp, nonce) }
    return { path: '', headers, body: JSON.stringify(message) }
  }
  const msg = JSON.stringify(message)
  const signature = signOnenetPush(TOKEN, nonce, msg)
  return {
    path: '',
    headers: {},
    body: JSON.stringify({ msg, nonce, signature, time: now, id: randomUUID() }),
  }
}

/**
 * The other side of the driver, from the documents of the platforms: an API that checks signatures and puts commands into the queue of
 * their module, pushes that are repeated until they are answered with 200, and the states of commands. A module gets its command after
 * a report.
 */
export async function simulatePlatform(kind: PlatformKind, modules: readonly SimulatedModule[]) {
  const byId = new Map(modules.map((module) => [module.platformId, module]))
  const queue: Command[] = []
  /** Pushes that were not answered with 200. */
  const backlog: SignedPush[] = []
  let pushUrl = ''
  const commandsOf = new Map<string, number>()
  const log = { calls: 0, refusedCalls: 0, delivered: [] as string[] }

  /** The command of a call; undefined if its signature is wrong. */
  function readCall(url: URL, header: (name: string) => string, body: string): Command | undefined {
    const value = JSON.parse(body)
    if (kind === 'ctwing') {
      const parameters = { MasterKey: header('masterkey') }
      const keys = { appKey: 'appKey1', appSecret: 'appSecret1' }
      const expected = signCtwingCall(keys, Number(header('timestamp')), parameters, body)
      if (header('signature') !== expected || header('masterkey') !== 'masterKey1') return undefined
      // A number of the device.
      const count = (commandsOf.get(value.deviceId) ?? 0) + 1
      commandsOf.set(value.deviceId, count)
      const isModel = url.pathname === '/aep_device_command_lwm_profile/commandLwm2mProfile'
      const content = isModel ? value.command.paras : Buffer.from(value.content.payload, 'hex')
      return { id: String(count), platformId: value.deviceId, content }
    }
    if (kind === 'onenet') {
      const et = Number(new URLSearchParams(header('authorization')).get('et'))
      const token = { version: '2020-05-29', res: 'userid/38055', accessKey: ACCESS_KEY, et }
      if (header('authorization') !== toOnenetToken(token)) return undefined
      const [{ type, val, res_id: resource }] = value.data
      const platformId = url.searchParams.get('imei') ?? ''
      return {
        id: randomUUID(),
        platformId,
        content: type === 1 ? Buffer.from(val, 'hex') : { [resource]: val },
      }
    }
    const headers = { 'content-type': 'application/json', 'x-sdk-date': header('x-sdk-date') }
    const keys = { accessKey: 'AK1', secretKey: 'SK1', scope: 'cn-north-4/iotdm' }
    if (header('authorization') !== signHuaweiCall({ method: 'POST', url, headers, body }, keys))
      return undefined
    const { frame } = value.paras
    const content = typeof frame === 'string' ? Buffer.from(frame, 'base64') : value.paras
    return { id: randomUUID(), platformId: url.pathname.split('/')[5] ?? '', content }
  }

  function toAnswer(id: string): unknown {
    if (kind === 'ctwing')
      return { code: 0, msg: 'ok', result: { commandId: id, commandStatus: '指令已保存' } }
    if (kind === 'onenet') return { errno: 0, error: 'succ', data: { uuid: id } }
    return { command_id: id, status: 'PENDING', created_time: toShort(Date.now()) }
  }

  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      log.calls++
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
      const command = readCall(url, (name) => String(request.headers[name] ?? ''), body)
      if (command === undefined) log.refusedCalls++
      else queue.push(command)
      response.writeHead(command === undefined ? 401 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(command === undefined ? { error: 'signature' } : toAnswer(command.id)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function post({ path, headers, body }: SignedPush): Promise<number> {
    const all = { 'content-type': 'application/json', ...headers }
    return fetch(`${pushUrl}${path}`, { method: 'POST', headers: all, body }).then(
      async (response) => {
        await response.text()
        return response.status
      },
      () => 0,
    )
  }

  async function push(message: unknown): Promise<void> {
    const signed = toPush(kind, message, Date.now())
    if ((await post(signed)) !== 200) backlog.push(signed)
  }

  function toReport({ platformId, report }: SimulatedModule, at: number): unknown {
    const content = report()
    if (kind === 'ctwing') {
      const payload = isBytes(content)
        ? { APPdata: Buffer.from(content).toString('base64') }
        : { serviceId: 'Meter', serviceData: content }
      const rest = { topic: 'v1/up/ad', protocol: 'lwm2m', productId: '15114816', IMEI: '862592051651472' }
      return {
        upPacketSN: -1,
        messageType: 'dataReport',
        timestamp: at,
        deviceId: platformId,
        payload,
        ...rest,
      }
    }
    if (kind === 'onenet') {
      if (isBytes(content)) {
        const value = Buffer.from(content).toString('hex')
        return { type: 1, dev_id: 2016617, imei: platformId, ds_id: '3200_0_5750', at, value }
      }
      const params = Object.entries(content).map(([name, value]) => [name, { time: at, value }])
      const data = { id: '1', version: '1.0', params: Object.fromEntries(params) }
      return { messageType: 'notify', notifyType: 'property', imei: platformId, data }
    }
    const properties = isBytes(content) ? { frame: Buffer.from(content).toString('base64') } : content
    const service = { service_id: 'Meter', properties, event_time: toShort(at) }
    return {
      resource: 'device.property',
      event: 'report',
      event_time: toShort(at),
      notify_data: { header: { device_id: platformId, node_id: '1' }, body: { services: [service] } },
    }
  }

  function toState({ id, platformId }: Command, state: string): unknown {
    if (kind === 'ctwing') {
      const result = { resultDetail: '', resultCode: state }
      return {
        messageType: 'commandResponse',
        timestamp: Date.now(),
        taskId: id,
        result,
        deviceId: platformId,
      }
    }
    if (kind === 'onenet') {
      const status = state === 'SENT' ? { send_status: 3 } : { send_status: 5, confirm_status: 0 }
      return { type: 7, imei: platformId, cmd_id: id, ...status }
    }
    return {
      resource: 'device.command.status',
      event: 'update',
      event_time: toShort(Date.now()),
      notify_data: { header: { device_id: platformId }, body: { command_id: id, status: state } },
    }
  }

  let latest = 0
  const simulator = {
    url: `http://127.0.0.1:${port}`,
    log,
    backlog,
    /** Commands get lost on the air after they were sent. */
    isDeaf: false,
    /** Where pushes go. */
    setPushUrl(url: string): void {
      pushUrl = url
    },
    waiting: (): number => queue.length,
    /** The message of a report. */
    toReport(platformId: string, at: number): unknown {
      const module = byId.get(platformId)
      return module && toReport(module, at)
    },
    push,
    post,
    /** One report of a module, and the command that waits for it. `at`: when the platform received it, Unix ms; whole seconds. */
    async uplink(platformId: string, at?: number): Promise<void> {
      const module = byId.get(platformId)
      if (module === undefined) throw new Error(`no module ${platformId}`)
      latest = Math.max(latest + 1_000, Math.floor(Date.now() / 1_000) * 1_000 - 600_000)
      await push(toReport(module, at ?? latest))
      const found = queue.findIndex((command) => command.platformId === platformId)
      const [command] = found < 0 ? [] : queue.splice(found, 1)
      if (command === undefined) return
      await push(toState(command, 'SENT'))
      if (simulator.isDeaf) return push(toState(command, kind === 'ctwing' ? 'TIMEOUT' : 'SENT'))
      module.receive?.(command.content)
      log.delivered.push(command.id)
      await push(toState(command, 'DELIVERED'))
    },
    /** Sends what was not answered once more, and everything a second time: platforms repeat what they believe lost. */
    async repeat(): Promise<void> {
      for (const signed of backlog.splice(0)) {
        if ((await post(signed)) !== 200) backlog.push(signed)
        else await post(signed)
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return simulator
}
