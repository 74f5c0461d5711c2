import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { createCommandUpdates } from './command-updates.ts'
import { type CommandsBench, startCommandsBench, toDispatch } from './commands.testkit.ts'
import type { PlacedCommand } from './model/records.ts'
import { findCommands } from './store/query.pg.ts'

const WAIT = { timeout: 30_000, interval: 20 }

let bench: CommandsBench
beforeAll(async () => {
  bench = await startCommandsBench()
})
afterAll(() => bench.close())

test('a failed read is retried, and awaiting confirmations are read again', async () => {
  bench.broker.isAway = true
  const commands = await bench.start()
  const target = { deviceId: bench.idOf('V1'), openingPct: 45 }
  const { commands: given } = await commands.service.send(toDispatch(), { targets: [target], reason: '' })
  await commands.close()
  const id = given[0]?.id ?? ''

  const listeners = new Map<string, (payload: string | undefined) => void>()
  const reported: string[] = []
  const processed: (readonly PlacedCommand[] | undefined)[] = []
  let failures = 0
  const updates = createCommandUpdates({
    clock: systemClock,
    log: createLog({ logLevel: 'silent' }),
    signals: {
      listen(channel, listener) {
        listeners.set(channel, listener)
        return () => listeners.delete(channel)
      },
    },
    async findCommands(ids) {
      failures += 1
      if (failures <= 2) throw new Error('no connection')
      return findCommands(bench.db, scopeOfEverything, ids)
    },
    findBatches: async () => [],
    findHolds: async () => [],
    wake: () => undefined,
    onCommands: async (changed) => {
      processed.push(changed)
    },
  })
  updates.onChanged(({ command }) => reported.push(command.id))
  try {
    listeners.get('command_changed')?.(id)
    await updates.settle()
    expect(reported).toEqual([])
    await expect.poll(() => reported, WAIT).toEqual([id])
    await expect.poll(() => processed.at(-1)?.map(({ command }) => command.id), WAIT).toEqual([id])
    expect(processed.slice(0, -1)).toEqual([undefined, undefined])
  } finally {
    updates.stopListening()
  }
})
