import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from '../secrets.ts'
import { findHolder, lockFolder } from './data-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A process that looks like a running launcher. */
async function startOther(): Promise<{ readonly pid: number; end(): Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)', 'launcher'])
  await once(child.stdout, 'data')
  const exit = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    end() {
      child.kill('SIGKILL')
      return exit
    },
  }
}

test('a folder in use by a running launcher is refused with its process and the remedy', async () => {
  const other = await startOther()
  await writeFile(
    join(folder, 'launcher.lock'),
    JSON.stringify({ pid: other.pid, stores: { DATABASE_URL: 'postgres://x' } }),
  )
  await expect(lockFolder(folder)).rejects.toThrow(
    new RegExp(`in use by process ${other.pid}; .*ISOTHERM_DATA`),
  )
  expect(await findHolder(folder)).toEqual({ pid: other.pid, stores: { DATABASE_URL: 'postgres://x' } })
  await other.end()
})

test('a lock of a killed run is taken over', async () => {
  const other = await startOther()
  await writeFile(join(folder, 'launcher.lock'), JSON.stringify({ pid: other.pid }))
  await other.end()
  expect(await findHolder(folder)).toBeUndefined()
  const lock = await lockFolder(folder)
  const read = async () => JSON.parse(await readFile(join(folder, 'launcher.lock'), 'utf8'))
  expect(await read()).toEqual({ pid: process.pid, stores: {} })
  await lock.publish('DATABASE_URL', 'postgres://x')
  await lock.publish('CLICKHOUSE_URL', 'http://x')
  expect(await read()).toMatchObject({ stores: { DATABASE_URL: 'postgres://x', CLICKHOUSE_URL: 'http://x' } })
  await lock.release()
  await expect(readFile(join(folder, 'launcher.lock'))).rejects.toThrow()
})

test('engines that are published at the same time are both in the lock', async () => {
  const lock = await lockFolder(folder)
  const stores = { DATABASE_URL: 'postgres://x', CLICKHOUSE_URL: 'http://x' }
  await Promise.all([
    lock.publish('DATABASE_URL', stores.DATABASE_URL),
    lock.publish('CLICKHOUSE_URL', stores.CLICKHOUSE_URL),
  ])
  expect(JSON.parse(await readFile(join(folder, 'launcher.lock'), 'utf8'))).toMatchObject({ stores })
  await lock.release()
})

test('of several launchers that start at once on the folder of a killed run, exactly one gets the lock', async () => {
  await writeFile(join(folder, 'launcher.lock'), JSON.stringify({ pid: 2 ** 22 + 1 }))
  const script = `import { lockFolder } from '${join(import.meta.dirname, 'data-lock.ts')}'
    console.log('ready')
    process.stdin.once('data', () => lockFolder('${folder}').then(() => console.log('mine'), () => console.log('refused')))
    process.stdin.once('end', () => process.exit(0))`
  const all = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script, 'launcher']),
  )
  const lines = all.map((child) => createInterface(child.stdout)[Symbol.asyncIterator]())
  const next = () => Promise.all(lines.map(async (line) => (await line.next()).value))
  expect(await next()).toEqual(all.map(() => 'ready'))
  for (const { stdin } of all) stdin.write('go\n')
  expect((await next()).toSorted()).toEqual(['mine', 'refused', 'refused', 'refused'])
  for (const { stdin } of all) stdin.end()
  await Promise.all(all.map((child) => once(child, 'exit')))
})

test('a damaged lock, or one with the process id of another program, is taken over', async () => {
  for (const text of ['{"pid":', JSON.stringify({ pid: 1 })]) {
    await writeFile(join(folder, 'launcher.lock'), text)
    await (await lockFolder(folder)).release()
  }
})

test('secrets are created once, are all different, and readable only by the owner', async () => {
  const first = await loadSecrets(folder)
  expect(await loadSecrets(folder)).toEqual(first)
  expect(new Set(Object.values(first)).size).toBe(3)
  const { mode } = await stat(join(folder, 'secrets.json'))
  expect(mode & 0o777).toBe(0o600)
})

test('damaged secrets give one clear line and are never replaced', async () => {
  await writeFile(join(folder, 'secrets.json'), '{"postgres":"short"}')
  await expect(loadSecrets(folder)).rejects.toThrow(/secrets\.json is damaged/)
  expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe('{"postgres":"short"}')
})
