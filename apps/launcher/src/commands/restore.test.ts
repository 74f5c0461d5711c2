/** The folder around a restore. The program is one of the test; the one of the server has its own tests on engines. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readOptions } from '../options.ts'
import { restore } from './restore.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

const SECRET = 'the secret of all gateways'

let folder: string
let data: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-restore-'))
  data = join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A program that checks with success, and then does this. */
async function writeProgram(body: string): Promise<string> {
  const program = join(folder, `program-${Math.random()}.mjs`)
  await writeFile(program, `if (process.argv.includes('--check')) process.exit(0)\n${body}`)
  return program
}
const succeeding = () =>
  writeProgram(`process.send({ secrets: { mqtt: '${SECRET}' } }, () => process.disconnect())`)

/** With external stores, so that no engine is needed. */
const run = (program: string) =>
  restore(
    program,
    ['--from', 'x'],
    readOptions('restore', {
      ISOTHERM_DATA: data,
      DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
      CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
    }),
  )

const list = () => readdir(data).then((names) => names.toSorted())

test('a restore brings the secrets and leaves neither lock nor mark', async () => {
  expect(await run(await succeeding())).toBe(0)
  expect(await list()).toEqual(['secrets.json'])
  expect(JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8'))).toMatchObject({ mqtt: SECRET })
})

test('while it runs, the folder is locked and marked', async () => {
  const program = await writeProgram(
    `import { readdirSync } from 'node:fs'
     process.exit(['launcher.lock', 'restore.unfinished'].every((name) => readdirSync('${data}').includes(name)) ? 7 : 8)`,
  )
  expect(await run(program)).toBe(7)
})

test('a folder that a running product or another restore has locked is refused, and stays as it is', async () => {
  const other = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)', 'launcher'])
  await once(other.stdout, 'data')
  await mkdir(data)
  await writeFile(join(data, 'launcher.lock'), JSON.stringify({ pid: other.pid }))
  await expect(run(await succeeding())).rejects.toThrow(`in use by process ${other.pid}`)
  expect(await list()).toEqual(['launcher.lock'])
  const exit = once(other, 'exit')
  other.kill('SIGKILL')
  await exit
  expect(await run(await succeeding())).toBe(0)
})

test.each([
  ['ends with a fault', 'process.exit(3)', 3],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", 1],
  ['brings no secrets', 'process.exit(0)', 1],
])('after a restore that %s, the folder is empty and the next one succeeds', async (_what, body, code) => {
  expect(await run(await writeProgram(body))).toBe(code)
  expect(await list()).toEqual([])
  expect(await run(await succeeding())).toBe(0)
})

test('after secrets that cannot be used, the folder is empty', async () => {
  const program = await writeProgram("process.send({ secrets: 'none' }, () => process.disconnect())")
  expect(await run(program)).toBe(1)
  expect(await list()).toEqual([])
})

test('what a killed restore left is no installation, and the next restore removes it', async () => {
  await mkdir(join(data, 'postgres', 'cluster'), { recursive: true })
  await writeFile(join(data, 'restore.unfinished'), '')
  await expect(refuseUnfinishedRestore(data)).rejects.toThrow(
    /restore that is not finished; run the restore again/,
  )
  expect(await run(await succeeding())).toBe(0)
  expect(await list()).toEqual(['secrets.json'])
  await refuseUnfinishedRestore(data)
})

test('a request to end ends the program first, and then the folder is empty', async () => {
  const started = join(folder, 'started')
  const program = await writeProgram(
    `import { writeFileSync } from 'node:fs'
     process.on('SIGTERM', () => process.exit(1))
     setInterval(() => {}, 1000)
     writeFileSync('${started}', '')`,
  )
  const main = join(import.meta.dirname, 'restore.ts')
  const script = `import { restore } from '${main}'
    import { readOptions } from '${join(import.meta.dirname, '../options.ts')}'
    process.exitCode = await restore('${program}', ['--from', 'x'], readOptions('restore', process.env))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, 'launcher'], {
    stdio: 'inherit',
    env: {
      PATH: process.env.PATH,
      ISOTHERM_DATA: data,
      DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
      CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
    },
  })
  const exit = once(child, 'exit')
  await expect.poll(() => readdir(folder), { timeout: 30_000 }).toContain('started')
  child.kill('SIGTERM')
  expect(await exit).toEqual([1, null])
  expect(await list()).toEqual([])
})
