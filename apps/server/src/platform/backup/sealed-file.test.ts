import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashStored, readSealed, writeSealed } from './sealed-file.ts'

const KEY = 'a key of the tests with many characters'
const MIB = 1 << 20

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function* inParts(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const read = (name: string, key: string | undefined) => buffer(readSealed(folder, name, key))

test.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 7])(
  '%i bytes are read as they were written, plain and encrypted',
  async (size) => {
    // Random bytes do not become shorter, so the chunks are full.
    const bytes = randomBytes(size)
    for (const key of [undefined, KEY]) {
      const name = `${size}-${key === undefined ? 'plain' : 'sealed'}`
      const stored = await writeSealed(folder, name, inParts(bytes, 300_000), key)
      expect(await hashStored(folder, name)).toEqual(stored)
      expect((await read(name, key)).equals(bytes)).toBe(true)
    }
  },
)

test('an encrypted file shows nothing of its content, and two of the same content differ', async () => {
  const secret = Buffer.from('the password of the gateways '.repeat(100))
  await writeSealed(folder, 'a', inParts(secret, 100), KEY)
  await writeSealed(folder, 'b', inParts(secret, 100), KEY)
  const [first, second] = [await readFile(join(folder, 'a')), await readFile(join(folder, 'b'))]
  expect(first.includes('password')).toBe(false)
  expect(first.subarray(24).equals(second.subarray(24))).toBe(false)
})

test('a wrong key, another name, each changed byte and each missing end are refused', async () => {
  const bytes = randomBytes(MIB + 200)
  await writeSealed(folder, 'one', inParts(bytes, MIB), KEY)
  const stored = await readFile(join(folder, 'one'))
  await expect(read('one', `${KEY}!`)).rejects.toThrow('one cannot be decrypted')
  await writeFile(join(folder, 'two'), stored)
  await expect(read('two', KEY)).rejects.toThrow('two cannot be decrypted')
  // In the head, the salt, the length, the first chunk, its tag, the second length and chunk, and the last byte.
  for (const at of [0, 10, 25, 1_000, MIB + 40, MIB + 46, MIB + 100, stored.length - 1]) {
    const changed = Buffer.from(stored)
    changed[at] = (changed[at] ?? 0) ^ 1
    await writeFile(join(folder, 'one'), changed)
    await expect(read('one', KEY), `byte ${at}`).rejects.toThrow('one cannot be decrypted')
  }
  // The second cut is between two chunks.
  for (const end of [10, 24 + 4 + MIB + 16, stored.length - 1]) {
    await writeFile(join(folder, 'one'), stored.subarray(0, end))
    await expect(read('one', KEY), `cut at ${end}`).rejects.toThrow('one cannot be decrypted')
  }
  await writeFile(join(folder, 'one'), Buffer.concat([stored, Buffer.from([0])]))
  await expect(read('one', KEY)).rejects.toThrow('one cannot be decrypted')
})

test('a damaged plain file is an error, not other bytes', async () => {
  await writeSealed(folder, 'plain', inParts(randomBytes(5_000), 1_000), undefined)
  const stored = await readFile(join(folder, 'plain'))
  await writeFile(join(folder, 'plain'), stored.subarray(0, 3_000))
  await expect(read('plain', undefined)).rejects.toThrow('plain cannot be read')
})

test('a source that fails leaves an error', async () => {
  async function* failing() {
    yield Buffer.from('begin')
    throw new Error('the engine is gone')
  }
  await expect(writeSealed(folder, 'failing', failing(), KEY)).rejects.toThrow('the engine is gone')
})
