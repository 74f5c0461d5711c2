/**
 * A million changed inputs for the readers of foreign bytes: HTTP, WebSocket, MQTT, files. Each day has its own seed
 * (ISOTHERM_FUZZ_SEED repeats one). A fault is added to the cases (cases.json), which fuzz.test.ts tries in
 * each run from then on. With ISOTHERM_FUZZ_GROW=1 inputs with new outcomes are added too, so that later runs begin there.
 */
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, expect, test } from 'vitest'
import { createRequests, inputs, live } from './call-targets.testkit.ts'
import { createArchives, mapFiles, sheets, textFiles } from './file-targets.testkit.ts'
import { addCases, fuzz } from './fuzz.testkit.ts'
import { messages } from './message-targets.testkit.ts'

const seed = Number(process.env.ISOTHERM_FUZZ_SEED ?? Math.floor(Date.now() / DAY_MS))
const grows = process.env.ISOTHERM_FUZZ_GROW === '1'
/** Cases that one run adds to a target. */
const MAX_ADDED = 20
/** A pause of a busy machine may be longer than the reading of an input; a hang is not. */
const MAX_MS = 20_000

const requests = await createRequests()
afterAll(() => requests.close())

/** A million in all, by what they cost: about a minute of the processor. */
const counts = [
  { target: inputs, count: 300_000 },
  { target: requests, count: 5_000 },
  { target: live, count: 20_000 },
  { target: messages, count: 500_000 },
  { target: textFiles, count: 70_000 },
  { target: mapFiles, count: 100_000 },
  { target: sheets, count: 1_000 },
  { target: await createArchives(), count: 4_000 },
]

test.each(counts)('$target.name have no fault in $count inputs', { timeout: 1_800_000 }, async (given) => {
  const { target, count } = given
  const onFault = (input: Buffer): void => addCases(target.name, [input])
  const { outcomes, slowestMs, found } = await fuzz(target, { seed, inputs: count, onFault })
  if (grows) addCases(target.name, found.slice(0, MAX_ADDED))
  expect(outcomes).toBeGreaterThan(1)
  expect(slowestMs).toBeLessThan(MAX_MS)
})
