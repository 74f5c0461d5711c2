import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import { createAuthority } from '@isotherm/engines/broker/certificates.testkit'
import { connectAsync, type IClientOptions } from 'mqtt'
import { expect, test } from 'vitest'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { toBrokerLogin } from '../../apps/server/src/platform/mqtt/broker-hashes.ts'
import { createExternalBroker } from '../../apps/server/src/platform/mqtt/external.mqtt.ts'
import {
  describeIsolation,
  logins,
  type TestedBroker,
} from '../../apps/server/src/platform/mqtt/gateway-isolation.testkit.ts'
import { hasMosquitto, startMosquitto } from '../../apps/server/src/platform/mqtt/mosquitto.testkit.ts'
import { readRecipe, readSettings } from '../../apps/server/src/platform/mqtt/recipe.testkit.ts'
import { toMosquitto, toRabbit } from './broker-files.ts'
import { hasRabbit, startRabbit } from './rabbitmq.testkit.ts'

const server = { username: 'isotherm', password: 'server-password' }
const hashed = logins.map(toBrokerLogin)
const MOSQUITTO = 'connect-gateways-through-mosquitto'
const RABBIT = 'connect-gateways-through-rabbitmq'
/** Settings of the recipe that are about this machine. */
const OWN_OF_RABBIT = /^(mqtt\.listeners|load_definitions)/

const authority = createAuthority('authority of the tests')
const certificates = new Map(
  [server, ...logins].map(({ username }) => [username, authority.issue(username)] as const),
)
const lost = authority.issue('one/C-1')
const toCredentials = (username: string): IClientOptions => {
  const { cert, key } = certificates.get(username) ?? {}
  return { ca: authority.cert, ...(cert && key ? { cert, key } : {}) }
}

/** The files of certificates that the recipes name, in a folder of its own. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-broker-'))
  const { cert, key } = authority.issue('broker')
  const files = {
    'broker.pem': cert,
    'broker.key': key,
    'ca.pem': authority.cert,
    'crl.pem': authority.revoke([lost.serialNumber]),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  return folder
}

/** A broker and the server's client at it. */
async function connectServer(
  url: string,
  close: () => Promise<void>,
  options: IClientOptions = {},
): Promise<TestedBroker> {
  const client = await connectAsync(url, {
    clientId: 'isotherm-test',
    ...server,
    protocolVersion: 4,
    ...options,
  })
  return {
    url,
    async send(topic, text) {
      await client.publishAsync(topic, text, { qos: 1 })
    },
    async close() {
      await client.endAsync(true)
      await close()
    },
  }
}

async function startWithRules(): Promise<TestedBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-broker-'))
  for (const [name, text] of Object.entries(toMosquitto(hashed, toBrokerLogin(server))))
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  const broker = await startMosquitto([
    'allow_anonymous false',
    `password_file ${join(folder, 'passwords')}`,
    `acl_file ${join(folder, 'acl')}`,
    'use_username_as_clientid true',
  ])
  return connectServer(broker.url, async () => {
    await broker.close()
    rmSync(folder, { recursive: true })
  })
}

/** Mosquitto with the listener for certificates of the recipe. */
async function startByCertificates(): Promise<TestedBroker> {
  const folder = makeFolder()
  const toPath = (file: string) => join(folder, file)
  writeFileSync(toPath('passwords'), '', { mode: 0o600 })
  writeFileSync(toPath('acl'), readRecipe(MOSQUITTO, 'acl'), { mode: 0o600 })
  const own = /^(listener|max_queued)/
  const broker = await startMosquitto([
    ...readSettings(MOSQUITTO, 'isotherm.conf', { own, toPath }),
    ...readSettings(MOSQUITTO, 'tls.conf', { own, toPath }),
  ])
  const close = async () => {
    await broker.close()
    rmSync(folder, { recursive: true })
  }
  const url = broker.url.replace('mqtt:', 'mqtts:')
  return { ...(await connectServer(url, close, toCredentials(server.username))), toCredentials }
}

const startByDefinitions = (folder?: string) =>
  startRabbit(
    [
      ...readSettings(RABBIT, 'rabbitmq.conf', { own: OWN_OF_RABBIT, toPath: String }),
      ...(folder === undefined
        ? []
        : readSettings(RABBIT, 'tls.conf', { own: OWN_OF_RABBIT, toPath: (file) => join(folder, file) })),
    ],
    toRabbit(hashed, toBrokerLogin(server))['definitions.json'] ?? '',
  )

describeIsolation({
  name: 'Mosquitto, with rules by user name,',
  isThere: hasMosquitto,
  runs: 10,
  takesOldClientIds: true,
  start: startWithRules,
})

describeIsolation({
  name: 'Mosquitto, with certificates,',
  isThere: hasMosquitto,
  runs: 10,
  takesOldClientIds: true,
  namesByCertificate: true,
  start: startByCertificates,
})

test.skipIf(!hasMosquitto)(
  'Mosquitto lets no gateway in without a certificate, or with a revoked or foreign one',
  async () => {
    const { url, close } = await startByCertificates()
    const foreign = createAuthority('authority of somebody').issue('one/C-1')
    const own = { ...logins[0], ca: authority.cert, reconnectPeriod: 0 }
    for (const { cert, key } of [lost, foreign])
      await expect(connectAsync(url, { ...own, cert, key })).rejects.toThrow()
    await expect(connectAsync(url, own)).rejects.toThrow()
    await (await connectAsync(url, { ...own, ...toCredentials('one/C-1') })).endAsync()
    await close()
  },
)

describeIsolation({
  name: 'RabbitMQ',
  isThere: hasRabbit,
  runs: 10,
  takesOldClientIds: false,
  endsForeign: true,
  async start() {
    const { url, close } = await startByDefinitions()
    return connectServer(url, close)
  },
})

describeIsolation({
  name: 'RabbitMQ, with certificates and passwords,',
  isThere: hasRabbit,
  runs: 5,
  takesOldClientIds: false,
  endsForeign: true,
  async start() {
    const folder = makeFolder()
    const { tlsUrl, close } = await startByDefinitions(folder)
    const end = async () => {
      await close()
      rmSync(folder, { recursive: true })
    }
    return { ...(await connectServer(tlsUrl, end, toCredentials(server.username))), toCredentials }
  },
})

test.skipIf(!hasRabbit)(
  'RabbitMQ asks for the password beside the certificate, and for a certificate',
  async () => {
    const folder = makeFolder()
    const { tlsUrl, close } = await startByDefinitions(folder)
    const own = {
      username: 'one/C-1',
      clientId: 'one/C-1',
      reconnectPeriod: 0,
      protocolVersion: 4,
      ca: authority.cert,
    } as const
    const { password } = logins[0] ?? {}
    const credentials = toCredentials('one/C-1')
    if (password === undefined) throw new Error('no gateway')
    await (await connectAsync(tlsUrl, { ...own, ...credentials, password })).endAsync()
    await expect(connectAsync(tlsUrl, { ...own, ...credentials, password: 'wrong' })).rejects.toThrow()
    await expect(connectAsync(tlsUrl, { ...own, ...credentials })).rejects.toThrow()
    await expect(connectAsync(tlsUrl, { ...own, password })).rejects.toThrow()
    await close()
    rmSync(folder, { recursive: true })
  },
)

test.skipIf(!hasRabbit)('the server exchanges messages with a gateway through RabbitMQ', async () => {
  const rabbit = await startByDefinitions()
  const [gateway] = logins
  if (!gateway) throw new Error('no gateway')
  const url = rabbit.url.replace('//', `//${server.username}:${server.password}@`)
  const log = createLog({ logLevel: 'silent' })
  const broker = createExternalBroker({ url: `${url}?version=4`, secret: 'of the tests' }, systemClock, log)
  const stored: string[] = []
  let attempts = 0
  await broker.start({
    findAccess: async () => ({ state: 'in-use', version: 0 }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: () => undefined,
    async store({ topic, payload }) {
      attempts += 1
      if (attempts === 1) throw new Error('the store is away')
      stored.push(`${topic} ${Buffer.from(payload)}`)
    },
    onDelivered: () => undefined,
    onRefused: () => undefined,
    onReplicaMessage: () => undefined,
    onReplicaGap: () => undefined,
  })
  const client = await connectAsync(rabbit.url, { ...gateway, clientId: gateway.username })
  const received: string[] = []
  client.on('message', (_topic, payload) => received.push(payload.toString()))
  await client.subscribeAsync(`hx/v1/${gateway.username}/down/#`, { qos: 1 })
  await client.publishAsync(toUpTopic('one', 'C-1', 'telemetry'), 'reading', { qos: 1 })
  await expect.poll(() => stored).toEqual(['hx/v1/one/C-1/up/telemetry reading'])
  await broker.publish(toDownTopic('one', 'C-1', 'cmd'), 'open', 1)
  await expect.poll(() => received).toEqual(['open'])
  await client.endAsync()
  await broker.close()
  await rabbit.close()
})
