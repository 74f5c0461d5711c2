import { expect, test } from 'vitest'
import { createHeldRead } from './held-read.ts'

function createBench() {
  let nowMs = 0
  let isBroken = false
  const read: string[] = []
  const get = createHeldRead(
    async (key: string) => {
      read.push(key)
      if (isBroken) throw new Error('broken')
      return `${key}${read.length}`
    },
    1_000,
    { elapsed: () => nowMs },
  )
  return {
    get,
    read,
    setTime: (ms: number) => {
      nowMs = ms
    },
    setBroken: (broken: boolean) => {
      isBroken = broken
    },
  }
}

test('a key is read once within the time, and again after it', async () => {
  const { get, read, setTime } = createBench()
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a1', 'a1', 'b2'])
  setTime(999)
  expect(await get('a')).toBe('a1')
  setTime(1_000)
  expect(await get('a')).toBe('a3')
  expect(read).toEqual(['a', 'b', 'a'])
})

test('a failed read is repeated', async () => {
  const { get, setBroken } = createBench()
  setBroken(true)
  await expect(get('a')).rejects.toThrow('broken')
  setBroken(false)
  expect(await get('a')).toBe('a2')
})
