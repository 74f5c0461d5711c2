import { setTimeout as pause } from 'node:timers/promises'
import { permissions } from '@isotherm/contract/access/permissions'
import { strategyDetail } from '@isotherm/contract/balancing/strategies'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createDatabase } from '../../../platform/postgres/database.pg.ts'
import { startTestServer } from '../../../testing/server.testkit.ts'
import { kill, type ServerProcess, startProcess } from '../../../testing/server-process.testkit.ts'
import { measureStation } from '../plan/measured-station.testkit.ts'
import { byReturns } from './strategies.testkit.ts'

const TIMEOUT_MS = 120_000

/** A company with a strategy whose starter has lost the right to control; no server runs it yet. */
async function startBench() {
  const server = await startTestServer()
  const { databaseUrl, clickhouseUrl } = server.config
  const db = createDatabase({ databaseUrl }, createLog({ logLevel: 'silent' }))
  let running: ServerProcess | undefined
  onTestFinished(async () => {
    if (running) await kill(running.child)
    await db.destroy()
    await server.stop()
  })
  await measureStation(server)
  const owner = await server.createAccount('owner', permissions, ['s1'])
  const token = (await server.logIn('owner'))['ht-api']
  const node = await server.nodeKey('a1')
  // Within its dead band it starts nothing.
  const plan = { ...byReturns, startAboveK: 10 }
  const added = strategyDetail.parse((await server.call(endpoints.addStrategy, { node, plan }, token)).data)
  const { id, version } = added
  await server.call(endpoints.startStrategy, { id, version }, token)
  await server.close()
  await db.updateTable('account').set({ enabled: false }).where('id', '=', owner).execute()
  const tickAt = (at: number) =>
    db.updateTable('strategy').set({ look_ms: at }).where('id', '=', id).execute()
  await tickAt(Number.MAX_SAFE_INTEGER)
  const readState = async () =>
    (await db.selectFrom('strategy').where('id', '=', id).select('state').executeTakeFirst())?.state
  return {
    async launch(): Promise<void> {
      running = await startProcess(databaseUrl, clickhouseUrl)
    },
    async kill(): Promise<void> {
      if (running) await kill(running.child)
    },
    /** Lets the server find that the permissions are lost; resolves at the moment of the halt. */
    async halt(): Promise<void> {
      await tickAt(0)
      while ((await readState()) !== 'paused') await pause(2)
    },
    listAlarms: () => db.selectFrom('alarm').select(['kind', 'state', 'occurrences']).execute(),
  }
}

test('A13: a server killed between the halt and its alarm raises it after its restart, and no kill raises it twice', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startBench()
  await bench.launch()
  await bench.halt()
  await bench.kill()
  const once = [{ kind: 'strategy-halted', state: 'active', occurrences: 1 }]
  expect(await bench.listAlarms()).toEqual([])
  for (const _ of ['back', 'killed again']) {
    await bench.launch()
    await expect.poll(bench.listAlarms).toEqual(once)
    await bench.kill()
  }
  expect(await bench.listAlarms()).toEqual(once)
})
