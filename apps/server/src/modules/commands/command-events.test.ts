import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { createNews } from './command-events.ts'
import { type CommandsBench, startCommandsBench, toDispatch } from './commands.testkit.ts'
import type { PlacedCommand } from './model/records.ts'
import { createCommandStore } from './store/store.pg.ts'

const WAIT = { timeout: 10_000, interval: 20 }

let bench: CommandsBench
beforeAll(async () => {
  bench = await startCommandsBench()
})
afterAll(() => bench.close())

test('what could not be looked up is told a little later, and what waits to be confirmed is read anew', async () => {
  bench.broker.isAway = true
  const commands = await bench.start()
  const target = { deviceId: bench.idOf('V1'), openingPct: 45 }
  const { commands: given } = await commands.service.give(toDispatch(), { targets: [target], reason: '' })
  await commands.close()
  const id = given[0]?.id ?? ''

  const store = createCommandStore(bench.db)
  const heard = new Map<string, (payload: string | undefined) => void>()
  const told: string[] = []
  const noted: (readonly PlacedCommand[] | undefined)[] = []
  let failures = 0
  const news = createNews({
    clock: systemClock,
    log: createLog({ logLevel: 'silent' }),
    signals: {
      listen(channel, listener) {
        heard.set(channel, listener)
        return () => heard.delete(channel)
      },
    },
    async findCommands(ids) {
      failures += 1
      if (failures <= 2) throw new Error('no connection')
      return store.find(scopeOfEverything, ids)
    },
    findBatches: async () => [],
    findHolds: async () => [],
    wake: () => undefined,
    note: async (changed) => {
      noted.push(changed)
    },
  })
  news.onChanged(({ command }) => told.push(command.id))
  try {
    heard.get('command_changed')?.(id)
    await news.settle()
    expect(told).toEqual([])
    await expect.poll(() => told, WAIT).toEqual([id])
    await expect.poll(() => noted.at(-1)?.map(({ command }) => command.id), WAIT).toEqual([id])
    expect(noted.slice(0, -1)).toEqual([undefined, undefined])
  } finally {
    news.stopListening()
  }
})
