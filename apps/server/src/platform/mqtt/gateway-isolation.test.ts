import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { expect } from 'vitest'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createEmbeddedBroker } from './embedded.mqtt.ts'
import { describeIsolation, logins, secret, type TestedBroker } from './gateway-isolation.testkit.ts'
import { hashProgram, hasMosquitto, startMosquitto } from './mosquitto.testkit.ts'

async function startEmbedded(): Promise<TestedBroker> {
  const config = { host: '127.0.0.1', port: 0, isPlain: true, maxConnections: 100, secret }
  const broker = createEmbeddedBroker(config, systemClock, createLog({ logLevel: 'silent' }))
  await broker.start({
    findAccess: async () => ({ state: 'in-use', version: 0 }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: () => undefined,
    store: async () => undefined,
    onDelivered: () => undefined,
    onRefused: () => undefined,
    onReplicaMessage: () => undefined,
    onReplicaGap: () => undefined,
  })
  return {
    url: `mqtt://127.0.0.1:${broker.port}`,
    send: (topic, text) => broker.publish(topic, text, 1),
    close: () => broker.close(),
  }
}

/** A block of code of the recipe, by the name of the file in its first line. */
function readRecipe(file: string): string {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../../docs/recipes/connect-gateways-through-mosquitto.md'),
    'utf8',
  )
  const block = page.split('```').find((part) => part.trimStart().split('\n')[0]?.trim() === `# ${file}`)
  if (block === undefined) throw new Error(`the recipe has no ${file}`)
  return block
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}

/** Mosquitto, configured by the recipe. */
async function startByRecipe(): Promise<TestedBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-recipe-'))
  const [passwords, acl] = [join(folder, 'passwords'), join(folder, 'acl')]
  const lines = logins.map(({ username, password }) => `${username}:${password}`)
  writeFileSync(passwords, [...lines, 'isotherm:server-password', ''].join('\n'), { mode: 0o600 })
  expect(spawnSync(hashProgram, ['-U', passwords]).status).toBe(0)
  writeFileSync(acl, readRecipe('acl'), { mode: 0o600 })
  const settings = readRecipe('isotherm.conf')
    .split('\n')
    .filter((line) => !/^(listener|max_queued)/.test(line))
    .map((line) => line.replace(/\/etc\/mosquitto\/(passwords|acl)$/, (_, file) => join(folder, file)))
  const broker = await startMosquitto(settings)
  const server = await connectAsync(broker.url, {
    clientId: 'isotherm',
    username: 'isotherm',
    password: 'server-password',
  })
  return {
    url: broker.url,
    async send(topic, text) {
      await server.publishAsync(topic, text, { qos: 1 })
    },
    async close() {
      await server.endAsync(true)
      await broker.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describeIsolation({
  name: 'embedded',
  start: startEmbedded,
  isThere: true,
  runs: 25,
  takesOldClientIds: true,
})
describeIsolation({
  name: 'Mosquitto',
  start: startByRecipe,
  isThere: hasMosquitto,
  runs: 10,
  takesOldClientIds: true,
})
