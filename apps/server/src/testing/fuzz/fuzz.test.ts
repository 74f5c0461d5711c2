/** Readers of foreign bytes with every input that once was a fault, and some more; fuzz.slow.test.ts has a million. */
import { expect, test } from 'vitest'
import { inputs, live } from './call-targets.testkit.ts'
import { mapFiles, sheets, textFiles } from './file-targets.testkit.ts'
import { fuzz } from './fuzz.testkit.ts'
import { messages } from './message-targets.testkit.ts'

test.each([inputs, live, messages, textFiles, sheets, mapFiles])('$name have no fault', async (target) => {
  const { outcomes } = await fuzz(target, { seed: 20_261_129, inputs: 500 })
  expect(outcomes).toBeGreaterThan(2)
})

test('an input that is a fault is named with its seed, and a new outcome is changed further', async () => {
  const lengths: number[] = []
  const faulty = {
    name: 'a faulty reader',
    seeds: ['ab'],
    words: ['cd'],
    run(bytes: Buffer) {
      lengths.push(bytes.length)
      if (bytes.includes('cdcd')) throw new Error('the fault')
      return bytes.includes('cd') ? 'cd' : 'other'
    },
  }
  const given: Buffer[] = []
  const running = fuzz(faulty, { seed: 1, inputs: 200_000, onFault: (input) => given.push(input) })
  await expect(running).rejects.toThrow(/^a faulty reader, seed 1: ".*cdcd.*" is a fault$/s)
  expect(given[0]?.includes('cdcd')).toBe(true)
})
